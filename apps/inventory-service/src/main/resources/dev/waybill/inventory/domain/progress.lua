-- How far gate and database were compared, as a hash: until, or, while there is no such time, repairer and the end of its
-- lease. The hash is lost together with the levels. It is made before the first level is compared and never after one, so a
-- flush in the middle of a pass leaves no trace of that pass.
-- KEYS -, the hash; ARGV step, reconciler, lease in ms, epoch ms until which everything was compared.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kind = redis.call('TYPE', KEYS[2]).ok
if kind ~= 'hash' and kind ~= 'none' then
  redis.call('DEL', KEYS[2])
end
local known = redis.call('HMGET', KEYS[2], 'until', 'repairer', 'lapses')
local before = tonumber(known[1] or nil)
local ours = not before and known[2] == ARGV[2]
if ARGV[1] == 'compared' then
  if ours then
    redis.call('HDEL', KEYS[2], 'repairer', 'lapses')
  end
  if ours or (before and before < tonumber(ARGV[4])) then
    redis.call('HSET', KEYS[2], 'until', ARGV[4])
  end
  return {'OK'}
end
if before then
  return {'COMPARED', known[1]}
end
if not ours and (ARGV[1] == 'renew' or (known[2] and (tonumber(known[3] or nil) or 0) > now)) then
  return {'OTHERS'}
end
redis.call('HSET', KEYS[2], 'repairer', ARGV[2], 'lapses', string.format('%.0f', now + ARGV[3]))
return {'REPAIR'}
