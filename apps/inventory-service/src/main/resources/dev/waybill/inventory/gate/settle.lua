-- Drops what an order holds and takes over the database's levels where they are later than what is known.
-- ARGV order (empty: nobody), then available and version per key (empty: only drop).
local field = 'hold:' .. ARGV[1]
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    redis.call('DEL', key)
  end
  local hold = ARGV[1] ~= '' and redis.call('HGET', key, field)
  if hold then
    redis.call('HDEL', key, field)
    redis.call('HINCRBY', key, 'held', '-' .. (string.match(hold, '^%d+') or '0'))
  end
  local available, version = ARGV[2 * i], ARGV[2 * i + 1]
  if version ~= '' then
    local known = redis.call('HMGET', key, 'available', 'version')
    if not tonumber(known[1] or nil) or not tonumber(known[2] or nil) or tonumber(known[2]) < tonumber(version) then
      redis.call('HSET', key, 'available', available, 'version', version)
    end
  end
end
return {'OK'}
