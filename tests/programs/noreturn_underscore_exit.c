#include <unistd.h>

int main(void)
{
	static const char text[] = "leaving at once\n";
	for (int i = 0; i < 3; i++)
		if (write(1, text, sizeof text - 1) < 0)
			_exit(1);
	_exit(5);
}
