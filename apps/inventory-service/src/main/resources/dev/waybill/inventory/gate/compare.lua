-- Compares with the database's levels, drops holds that have lapsed, and corrects what is wrong; a later version than the
-- database's stays, unless ARGV[1] is 'reset'.
-- ARGV mode, then available and version per key. Returns verdict, number before, lapsed holds for each key.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    redis.call('DEL', key)
  end
  local fields = redis.call('HGETALL', key)
  local known, held, lapsed = {}, 0, 0
  for f = 1, #fields, 2 do
    local name, value = fields[f], fields[f + 1]
    if string.sub(name, 1, 5) == 'hold:' then
      local quantity, until_ = string.match(value, '^(%d+):(%d+)$')
      if quantity and tonumber(until_) > now then
        held = held + tonumber(quantity)
      else
        redis.call('HDEL', key, name)
        lapsed = lapsed + 1
      end
    else
      known[name] = value
    end
  end
  local available, version = tonumber(known.available or nil), tonumber(known.version or nil)
  local miscounted = lapsed == 0 and tonumber(known.held or 0) ~= held
  local verdict = 'AGREES'
  if not available or not version then
    verdict = 'LOST'
  elseif version < tonumber(ARGV[2 * i + 1]) then
    verdict = 'BEHIND'
  elseif version > tonumber(ARGV[2 * i + 1]) then
    verdict = 'AHEAD'
  elseif available ~= tonumber(ARGV[2 * i]) or miscounted then
    verdict = 'DRIFTED'
  end
  if verdict ~= 'AGREES' and (verdict ~= 'AHEAD' or ARGV[1] == 'reset') then
    redis.call('HSET', key, 'available', ARGV[2 * i], 'version', ARGV[2 * i + 1])
  end
  redis.call('HSET', key, 'held', string.format('%.0f', held))
  found[#found + 1] = verdict
  found[#found + 1] = string.format('%.0f', available or -1)
  found[#found + 1] = tostring(lapsed)
end
return found
