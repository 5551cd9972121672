// report: LLVM 191788
// about: `fork`, with counters that are kept in the file while the program runs
// continuous: yes
// The parent makes twenty children. Each comes to its last line, and leaves at once, as before
// exec.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int prepare(int number)
{
	if (number % 5 == 0) // 40
		return 0;    // 8
	return number;	     // 32
}

int main(void)
{
	int sum = 0, status; // 1
	for (int i = 0; i < 20; i++) {
		int mine = prepare(i); // 20
		pid_t child = fork();  // 20, between calls
		if (child == 0) {
			int copy = prepare(i + 20); // 20, reported
			_exit(copy == 99);	    // 20, reported
		}
		waitpid(child, &status, 0);	   // 20, reported
		sum += mine + WEXITSTATUS(status); // 20
	}
	printf("%d\n", sum); // 1
	return 0;	     // 1
}
