/* A library that believes what it is told. */
int first_byte(const char *text)
{
	return *text;
}
