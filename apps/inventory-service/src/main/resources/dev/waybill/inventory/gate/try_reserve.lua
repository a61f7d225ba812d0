-- Holds every line of an order, or none. A key is a hash: available and version as the database had them, held as the sum of
-- the fields hold:<order>, each "<quantity>:<epoch ms at which it lapses>".
-- KEYS one per line; ARGV order, lease in ms, then a quantity per line.
local time = redis.call('TIME')
local lapses = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
local field = 'hold:' .. ARGV[1]
local unknown, short, own = {'UNKNOWN'}, {'SHORT'}, {}
for i, key in ipairs(KEYS) do
  local level = redis.pcall('HMGET', key, 'available', 'held', field)
  local available = not level.err and tonumber(level[1] or nil)
  if not available then
    unknown[#unknown + 1] = tostring(i)
  else
    own[i] = tonumber(level[3] and string.match(level[3], '^%d+') or 0)
    if available - (tonumber(level[2] or 0) or 0) + own[i] < tonumber(ARGV[2 + i]) then
      short[#short + 1] = tostring(i)
    end
  end
end
if #unknown > 1 then
  return unknown
end
if #short > 1 then
  return short
end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, field, ARGV[2 + i] .. ':' .. lapses)
  redis.call('HINCRBY', key, 'held', string.format('%.0f', ARGV[2 + i] - own[i]))
end
return {'HELD'}
