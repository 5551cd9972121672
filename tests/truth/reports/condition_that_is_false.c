// report: Mbed-TLS 6958
// about: what stands inside a condition that is false
// Ten names are read. The tag is right in five of them, and then the name is, too.
#include <stdio.h>

__attribute__((noinline)) static int get_tag(const char **at, int *length)
{
	*length = *(*at)++ - '0';    // 10
	return *length > 5 ? -7 : 0; // 10
}

__attribute__((noinline)) static int get_name(const char **at, int length)
{
	*at += length;		     // 5
	return length == 4 ? -8 : 0; // 5
}

__attribute__((noinline)) static int read_name(char kind, const char *from)
{
	int ret;
	switch (kind) { // 10
	case 'd': {
		int length;
		const char *at = from;			// 10
		ret = get_tag(&at, &length);		// 10
		if (ret != 0)				// 10
			return ret;			// 5
		if ((ret = get_name(&at, length)) != 0) // 5
			return ret;			// 0, reported
	} break;
	default:
		return -1; // 0, reported
	}
	return 0; // 5
}

int main(void)
{
	int sum = 0; // 1
	for (int i = 0; i < 10; i++)
		sum += read_name('d', i % 2 ? "1" : "7"); // 10
	printf("%d\n", sum);				  // 1
	return 0;					  // 1
}
