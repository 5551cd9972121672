/* Code that is made while the program runs, and changed in place: mov $N, %eax; ret. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;
	for (int i = 0; i < 200; i++) {
		const unsigned char made[] = {0xb8, (unsigned char)i, 0, 0, 0, 0xc3};
		memcpy(code, made, sizeof made);
		sum += ((int (*)(void))(void *)code)();
	}
	printf("%d\n", sum);
	return 0;
}
