// calls: run=16384
// More histories than an array holds, then a computed goto to labels that have other ways in.
static volatile unsigned sink;
#define B(k)                                                                                       \
	if (s >> k & 1)                                                                            \
		sink++;
__attribute__((noinline)) static void run(unsigned s)
{
	static const void *const table[] = {&&one, &&two, &&three, &&four};
	B(0) B(1) B(2) B(3) B(4) B(5) B(6) B(7) B(8) if (s & 512) goto one;
	if (s & 1024)
		goto two;
	if (s & 2048)
		goto three;
	goto *table[s >> 12 & 3];
one:
	B(1)
two:
	B(2)
three:
	B(3)
four:
	B(4)
}
int main(void)
{
	for (unsigned i = 0; i < 16384; i++)
		run(i);
	return 0;
}
