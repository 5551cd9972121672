void use(void);

int main(void)
{
	use();
	return 0;
}
