/* What a program knows of itself: a line per function, with the number of its calls. */
#define TALLY(name, count) printf("%s %d\n", #name, (int)(count))
