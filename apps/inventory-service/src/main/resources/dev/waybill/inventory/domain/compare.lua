-- Compares with the database's levels, drops holds that have lapsed, and corrects what is wrong; a later version than the
-- database's stays, unless ARGV[1] is 'reset'.
-- KEYS leases, -, then the stock's; ARGV mode, then available and version per key. Returns verdict, number before, version
-- before, lapsed holds for each key.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for i = 3, #KEYS do
  local key, rowAvailable, rowVersion = KEYS[i], ARGV[2 * i - 4], ARGV[2 * i - 3]
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then
    redis.call('DEL', key)
  end
  local fields = redis.call('HGETALL', key)
  local known, held, lapsed, earliest = {}, 0, 0, nil
  for f = 1, #fields, 2 do
    local name, value = fields[f], fields[f + 1]
    if string.sub(name, 1, 5) == 'hold:' then
      local quantity, until_ = string.match(value, '^(%d+):(%d+)$')
      until_ = tonumber(until_ or nil)
      if quantity and until_ > now then
        held = held + tonumber(quantity)
        earliest = math.min(earliest or until_, until_)
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
  elseif version < tonumber(rowVersion) then
    verdict = 'BEHIND'
  elseif version > tonumber(rowVersion) then
    verdict = 'AHEAD'
  elseif available ~= tonumber(rowAvailable) or miscounted then
    verdict = 'DRIFTED'
  end
  if verdict ~= 'AGREES' and (verdict ~= 'AHEAD' or ARGV[1] == 'reset') then
    redis.call('HSET', key, 'available', rowAvailable, 'version', rowVersion)
  end
  if tonumber(known.held or nil) ~= held then
    redis.call('HSET', key, 'held', string.format('%.0f', held))
  end
  if earliest then
    redis.call('ZADD', KEYS[1], string.format('%.0f', earliest), key)
  elseif known.held then
    redis.call('ZREM', KEYS[1], key)
  end
  found[#found + 1] = verdict
  found[#found + 1] = string.format('%.0f', available or -1)
  found[#found + 1] = string.format('%.0f', version or -1)
  found[#found + 1] = tostring(lapsed)
end
return found
