/* A plug-in: one entry, one function behind it, and code that runs when it comes and when it goes. */
static int uses;

__attribute__((noinline)) static int plugin_step(int n)
{
	return n % 3 ? n : 2;
}

__attribute__((constructor)) static void plugin_comes(void)
{
	uses = plugin_step(3);
}

__attribute__((destructor)) static void plugin_goes(void)
{
	for (int i = 0; i < 5; i++)
		uses += plugin_step(i);
}

int plugin_run(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += plugin_step(i);
	return sum;
}
