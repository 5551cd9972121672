/* The library that late.c needs, and that therefore ends after it. */
static void (*call)(int), (*at_last)(void);

void register_callback(void (*callback)(int), void (*last)(void))
{
	call = callback;
	at_last = last;
}

__attribute__((destructor)) static void end(void)
{
	for (int n = 4; call && n < 7; n++)
		call(n);
	if (at_last)
		at_last();
}
