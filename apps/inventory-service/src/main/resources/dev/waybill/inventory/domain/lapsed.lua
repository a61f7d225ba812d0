-- Keys with a hold whose lease has ended. They are put off by a lease, so that they come back if the caller dies before it has
-- compared them.
-- KEYS leases; ARGV how many at most, lease in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'zset' and kind ~= 'none' then
  redis.call('DEL', KEYS[1])
end
local keys = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
for _, key in ipairs(keys) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), key)
end
return keys
