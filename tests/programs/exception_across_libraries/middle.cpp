extern "C" int between(int (*callback)(int), int argument)
{
	int sum = callback(argument);
	for (int i = 0; i < argument; i++)
		sum += i;
	return sum;
}

extern "C" int thrower(int argument)
{
	if (argument & 1)
		throw "odd";
	return argument;
}
