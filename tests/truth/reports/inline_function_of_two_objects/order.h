// Called six times by main, with different first numbers in the first four of these calls.
inline int order(int a, int b, int c, int d)
{
	if (a != b)	      // 6
		return a < b; // 4, reported
	return c < d;	      // 2, reported
}
