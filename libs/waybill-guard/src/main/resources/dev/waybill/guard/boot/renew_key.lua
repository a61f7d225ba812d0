-- Starts the lease of KEYS[1] anew if the claim with the fence ARGV[1] still holds it.
-- ARGV: fence, lease (ms)
-- Returns {1} if renewed, {0} if not
local held = redis.call('GET', KEYS[1])
if not held then
  return {0}
end
local record = cjson.decode(held)
if record.status ~= 'PROCESSING' or string.format('%.0f', record.fence) ~= ARGV[1] then
  return {0}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = '{"key":' .. cjson.encode(record.key)
  .. ',"status":"PROCESSING","result":null,"traceId":' .. cjson.encode(record.traceId)
  .. ',"createdAt":' .. string.format('%.0f', record.createdAt)
  .. ',"expireAt":' .. string.format('%.0f', now + ARGV[2])
  .. ',"fence":' .. ARGV[1]
  .. ',"fingerprint":' .. cjson.encode(record.fingerprint) .. '}'
redis.call('SET', KEYS[1], value, 'PX', ARGV[2])
return {1}
