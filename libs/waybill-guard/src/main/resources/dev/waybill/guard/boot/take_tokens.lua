-- Takes tokens from the bucket KEYS[1]: hash {tokens, lastRefillTime (epoch ms)}, full when it is new.
-- ARGV: rate (tokens a second), capacity, cost, wanted (>= cost), time to live (ms)
-- Returns {taken (0 = refused), whole tokens left, ms until the cost is there, now (epoch ms)}
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local cost, wanted = tonumber(ARGV[3]), tonumber(ARGV[4])
local rounding = 1e-6
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local held = redis.call('HMGET', KEYS[1], 'tokens', 'lastRefillTime')
local tokens, last = tonumber(held[1]), tonumber(held[2])
if not tokens or not last then
  tokens, last = capacity, now
end
tokens = math.min(capacity, tokens + math.max(0, now - last) * rate / 1000)

if tokens + rounding < cost then
  if now < last then
    -- The clock stepped back: go on from the new time, or the bucket would stay empty until the old one.
    redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'lastRefillTime', string.format('%.0f', now))
  end
  local missing = math.min(cost, capacity) - tokens
  return {0, math.floor(tokens), math.max(1, math.ceil(missing * 1000 / rate)), now}
end

local taken = math.max(cost, math.min(wanted, math.floor(tokens + rounding)))
tokens = math.max(0, tokens - taken)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'lastRefillTime', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {taken, math.floor(tokens), 0, now}
