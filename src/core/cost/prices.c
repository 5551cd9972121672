/* Prices: see the header. */
#include "core/cost/prices.h"

const struct wm_prices wm_prices = {
	.increment = 1,
	.in_register = 0.5,
	.flush = 2,
	.by_register = 1,
	.set = 1,
	.move = 1,
	.compare = 3,
	.outside = 3,
	.prehistory_test = 2,
	.prehistory_set = 1,
	.prehistory_route = 3,
	.prehistory_times = 2,
	.table = 24,
	.without_branch = 1.3,
	.split = 0.5,
	.save = 0.6,
	.live = 0.2,
	.upkeep = 4,
	.size = 0.05,
	.size_among_paths = 0.2,
};

double wm_cost_on_edge(enum wm_place place, double edge_weight, double source_weight)
{
	switch (place) {
	case WM_PLACE_SPLIT:
		return edge_weight * (wm_prices.increment + wm_prices.split);
	case WM_PLACE_COMPARED:
		return source_weight * (wm_prices.increment + wm_prices.compare);
	case WM_PLACE_IN_BLOCK:
		break;
	}
	return edge_weight * wm_prices.increment;
}

double wm_cost_of_history(bool asks, double in_table)
{
	double counting = asks * wm_prices.prehistory_test + in_table * wm_prices.table +
			  (1 - in_table) * wm_prices.by_register;
	return (counting + wm_prices.upkeep) / wm_prices.increment;
}
