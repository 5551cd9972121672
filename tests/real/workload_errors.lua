-- Errors caught by pcall and coroutines that yield: every one of them is a longjmp over C frames.
local function risky(n)
	if n % 3 == 0 then
		error("three")
	elseif n % 5 == 0 then
		return nil + n
	end
	return n
end

local caught, passed = 0, 0
for n = 1, 200 do
	local ok, message = pcall(risky, n)
	if ok then
		passed = passed + message
	else
		caught = caught + #tostring(message)
	end
end

local function numbers(limit)
	return coroutine.wrap(function()
		for n = 1, limit do
			if n % 2 == 1 then
				coroutine.yield(n * n)
			end
		end
	end)
end

local sum = 0
for square in numbers(100) do
	sum = sum + square
end
print(caught, passed, sum)
print(select(2, pcall(string.rep)))
