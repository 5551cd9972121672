int unused_elsewhere(int x)
{
	while (x > 100)
		x /= 3;
	return x;
}
