/* Its counters stand behind those of room.c. */
int last_steps;

int last_step(int n)
{
	last_steps++;
	return n % 3 ? n : n + 1;
}
