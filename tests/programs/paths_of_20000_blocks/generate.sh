# Prints a function of 6,700 conditionals in a row, each with two calls to choose from: three blocks.
cat <<END
void mark(unsigned value);
void note(unsigned value);

unsigned long long_way(unsigned seed)
{
	unsigned state = seed;
END
step=0
while [ $step -lt 6700 ]; do
	echo "state = state * 1103515245 + 12345; if (state >> 20 & 1) mark($step); else note($step);"
	step=$((step + 1))
done
echo "return state; }"
