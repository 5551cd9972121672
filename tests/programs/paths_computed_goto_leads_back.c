// calls: run=64
// A computed goto one of whose targets starts a path (it leads back) while the others go on with
// it.
static volatile unsigned sink;
__attribute__((noinline)) static void run(unsigned s)
{
	static const void *const table[] = {&&again, &&on};
	if (s & 1)
		sink++;
	if (s & 16)
		goto on;
again:
	if (s & 2)
		sink++;
	s >>= 2;
	goto *table[s & 1 ? 0 : 1];
on:
	if (s & 4)
		sink++;
}
int main(void)
{
	for (unsigned i = 0; i < 64; i++)
		run(i);
	return 0;
}
