-- Holds every line of an order, or none. A key is a hash: available and version as the database had them, held as the sum of
-- the fields hold:<order>, each "<quantity>:<epoch ms at which it lapses>". The leases name each key that has holds by the end
-- of the earliest.
-- KEYS leases, -, then one per line; ARGV order, lease in ms, then a quantity per line.
local time = redis.call('TIME')
local lapses = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
local field = 'hold:' .. ARGV[1]
local unknown, short, own = {'UNKNOWN'}, {'SHORT'}, {}
for i = 3, #KEYS do
  local level = redis.pcall('HMGET', KEYS[i], 'available', 'held', field)
  local available = not level.err and tonumber(level[1] or nil)
  if not available then
    unknown[#unknown + 1] = tostring(i - 2)
  else
    own[i] = tonumber(level[3] and string.match(level[3], '^%d+') or 0)
    if available - (tonumber(level[2] or 0) or 0) + own[i] < tonumber(ARGV[i]) then
      short[#short + 1] = tostring(i - 2)
    end
  end
end
if #unknown > 1 then
  return unknown
end
if #short > 1 then
  return short
end
for i = 3, #KEYS do
  redis.call('HSET', KEYS[i], field, ARGV[i] .. ':' .. lapses)
  redis.call('HINCRBY', KEYS[i], 'held', string.format('%.0f', ARGV[i] - own[i]))
  redis.call('ZADD', KEYS[1], 'NX', lapses, KEYS[i])
end
return {'HELD'}
