// flags: -std=c++20
// calls: main=1
// Coroutines that end by an exception, and one that is destroyed while it waits.
#include <coroutine>
#include <cstdio>
#include <exception>

static int destroyed;

struct witness {
	~witness()
	{
		destroyed++;
	}
};

struct sequence {
	struct promise_type {
		int value = 0;
		std::exception_ptr failure;
		sequence get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend()
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(int next)
		{
			value = next;
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			failure = std::current_exception();
		}
	};
	std::coroutine_handle<promise_type> handle;
	int next()
	{
		handle.resume();
		if (handle.promise().failure)
			std::rethrow_exception(handle.promise().failure);
		return handle.promise().value;
	}
};

static sequence count(int limit)
{
	witness alive;
	for (int i = 1;; i++) {
		if (i == limit)
			throw i;
		co_yield i *i;
	}
}

int main()
{
	int sum = 0;
	for (int limit = 1; limit < 9; limit++) {
		sequence numbers = count(limit);
		try {
			for (int i = 0; i < 5; i++)
				sum += numbers.next();
		} catch (int thrown) {
			sum += 1000 * thrown;
		}
		numbers.handle.destroy();
	}
	std::printf("%d %d\n", sum, destroyed);
	return 0;
}
