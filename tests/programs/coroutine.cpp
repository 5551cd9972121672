// flags: -std=c++20
// levels: -O0 -O2
#include <coroutine>
#include <cstdio>
#include <exception>

struct Numbers {
	struct promise_type {
		int value = 0;
		Numbers get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			std::terminate();
		}
	};
	std::coroutine_handle<promise_type> handle;
};

static Numbers squares(int n)
{
	for (int i = 0; i < n; i++)
		if (i % 3)
			co_yield i *i;
}

int main()
{
	Numbers numbers = squares(20);
	int sum = 0;
	for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
		sum += numbers.handle.promise().value;
	numbers.handle.destroy();
	std::printf("%d\n", sum);
	return 0;
}
