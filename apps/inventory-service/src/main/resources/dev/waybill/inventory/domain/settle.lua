-- Drops what an order holds and takes over the database's levels where they are later than what is known.
-- KEYS leases, -, then the stock's; ARGV order (empty: nobody), then available and version per key (empty: only drop).
local field = 'hold:' .. ARGV[1]
for i = 3, #KEYS do
  local key = KEYS[i]
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    redis.call('DEL', key)
  end
  local hold = ARGV[1] ~= '' and redis.call('HGET', key, field)
  if hold then
    redis.call('HDEL', key, field)
    local held = redis.call('HINCRBY', key, 'held', '-' .. (string.match(hold, '^%d+') or '0'))
    if held <= 0 then
      redis.call('ZREM', KEYS[1], key)
    end
  end
  local available, version = ARGV[2 * i - 4], ARGV[2 * i - 3]
  if version ~= '' then
    local known = redis.call('HMGET', key, 'available', 'version')
    if not tonumber(known[1] or nil) or not tonumber(known[2] or nil) or tonumber(known[2]) < tonumber(version) then
      redis.call('HSET', key, 'available', available, 'version', version)
    end
  end
end
return {'OK'}
