/* What Valgrind runs for the children of a program: the tool that lies beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char tool[] = "waymark-hpp-amd64-linux";
	char path[4096];
	(void)argc;
	ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - sizeof tool - 1);
	if (bytes <= 0)
		return 127;
	path[bytes] = '\0';
	setenv("VALGRIND_LAUNCHER", path, 1);
	strcpy(strrchr(path, '/') + 1, tool);
	execv(path, argv);
	perror(path);
	return 127;
}
