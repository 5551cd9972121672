// stdin: the quick brown fox jumps over the lazy dog
#include <ctype.h>
#include <stdio.h>

int main(void)
{
	int c, words = 0, letters = 0, inside = 0;
	while ((c = getchar()) != EOF) {
		if (isspace(c)) {
			inside = 0;
			continue;
		}
		letters++;
		if (!inside)
			words++;
		inside = 1;
	}
	printf("%d words, %d letters\n", words, letters);
	fprintf(stderr, "done\n");
	return words;
}
