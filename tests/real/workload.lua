-- Tables, strings, closures, sorting and numbers; argument 1 is the size.
local size = tonumber(arg[1]) or 100

local seed = 42
local function random(limit)
	seed = (seed * 1103515245 + 12345) % 2147483648
	return seed // 65536 % limit
end

local function sieve(limit)
	local composite, count = {}, 0
	for i = 2, limit do
		if not composite[i] then
			count = count + 1
			for j = i * i, limit, i do
				composite[j] = true
			end
		end
	end
	return count
end

local function queens(n)
	local columns, up, down, found = {}, {}, {}, 0
	local function place(row)
		if row > n then
			found = found + 1
			return
		end
		for column = 1, n do
			if not (columns[column] or up[row + column] or down[row - column]) then
				columns[column], up[row + column], down[row - column] = true, true, true
				place(row + 1)
				columns[column], up[row + column], down[row - column] = nil, nil, nil
			end
		end
	end
	place(1)
	return found
end

local function words(count)
	local frequency, parts = {}, {}
	for _ = 1, count do
		local word = string.rep(string.char(97 + random(26)), 1 + random(4))
		frequency[word] = (frequency[word] or 0) + 1
		parts[#parts + 1] = word
	end
	local text = table.concat(parts, " ")
	local vowels = select(2, text:gsub("[aeiou]+", "*"))
	local keys = {}
	for key in pairs(frequency) do
		keys[#keys + 1] = key
	end
	table.sort(keys, function(a, b)
		if frequency[a] ~= frequency[b] then
			return frequency[a] > frequency[b]
		end
		return a < b
	end)
	return keys[1], frequency[keys[1]], vowels, #text
end

local Account = {}
Account.__index = Account
setmetatable(Account, { __call = function(class, balance)
	return setmetatable({ balance = balance }, class)
end })
function Account:move(amount)
	self.balance = self.balance + amount
	return self
end

local function accounts(count)
	local account = Account(10)
	for i = 1, count do
		account:move(i % 3 == 0 and -i or i / 2)
	end
	return account.balance
end

print(sieve(size * 100))
print(queens(6))
print(words(size * 10))
print(accounts(size * 50))
print(string.format("%5.2f %x %q", size / 7, size, "line\n"))
