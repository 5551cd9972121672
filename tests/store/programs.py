"""The programs of these tests, and what they must count: by hand, not by Waymark."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

# Each call of price takes one of four paths; arguments are how often each of them is taken.
PRICE = r"""#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int price(int discount, int surcharge)
{
	int sum = 100;
	if (discount)
		sum -= puts("discount");
	if (surcharge)
		sum += puts("surcharge");
	return sum;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "kill"))
			kill(getpid(), SIGKILL);
		if (!strcmp(argv[i], "fail"))
			return 3;
		if (!strcmp(argv[i], "wait"))
			pause();
		else
			price(argv[i][0] == '1', argv[i][1] == '1');
	}
	return 0;
}
"""


class Case(cases.Case):
    def build_price(self, name="price"):
        self.write("price.c", PRICE)
        self.succeed("cc", "-O1", "-g", "price.c", "-o", name)

    def paths_of(self, report, function):
        """Of a report as JSON the counts of the function's paths, in falling order."""
        found = [each for each in report["functions"] if each["name"] == function]
        return sorted((path["count"] for each in found for path in each.get("paths", [])), reverse=True)
