/* Figure 2.1 of the thesis: A or X leads to B, B to C or Y. Counts of edges are the same, whichever of
 * the routes are taken together. */
static volatile int sink;

__attribute__((noinline)) static void route(int from_a, int to_c)
{
	if (from_a)
		sink = 1;
	else
		sink = 2;
	sink += 3;
	if (to_c)
		sink = 4;
	else
		sink = 5;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000; i++)
		route(i % 2, argc > 1 ? i % 2 : !(i % 2));
	return 0;
}
