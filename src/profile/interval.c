/* Arithmetic that never claims more than it knows: what overflows has no bound. */
#include "profile/interval.h"

static int64_t add_lows(int64_t left, int64_t right)
{
	int64_t sum;
	if (left == WM_NO_LOW || right == WM_NO_LOW || __builtin_add_overflow(left, right, &sum))
		return WM_NO_LOW;
	return sum;
}

static int64_t add_highs(int64_t left, int64_t right)
{
	int64_t sum;
	if (left == WM_NO_HIGH || right == WM_NO_HIGH || __builtin_add_overflow(left, right, &sum))
		return WM_NO_HIGH;
	return sum;
}

struct wm_interval wm_interval_add(struct wm_interval left, struct wm_interval right)
{
	return (struct wm_interval){
		add_lows(left.low, right.low), add_highs(left.high, right.high)};
}

struct wm_interval wm_interval_subtract(struct wm_interval left, struct wm_interval right)
{
	int64_t low = right.high == WM_NO_HIGH ? WM_NO_LOW : -right.high;
	int64_t high = right.low == WM_NO_LOW ? WM_NO_HIGH : -right.low;
	return wm_interval_add(left, (struct wm_interval){low, high});
}

static int64_t smaller(int64_t left, int64_t right)
{
	return left < right ? left : right;
}

static int64_t larger(int64_t left, int64_t right)
{
	return left > right ? left : right;
}

struct wm_interval wm_interval_meet(struct wm_interval left, struct wm_interval right)
{
	return (struct wm_interval){larger(left.low, right.low), smaller(left.high, right.high)};
}

struct wm_interval wm_interval_join(struct wm_interval left, struct wm_interval right)
{
	return (struct wm_interval){smaller(left.low, right.low), larger(left.high, right.high)};
}

struct wm_interval wm_interval_max(struct wm_interval left, struct wm_interval right)
{
	return (struct wm_interval){larger(left.low, right.low), larger(left.high, right.high)};
}
