-- Stores the result under KEYS[1], unless a successor has the key.
-- ARGV: fence, key, fingerprint, traceId, createdAt, 1 if there is a result, result, http status, keep (ms),
--   and where the handler has words of its own: code, message
-- Returns {1} if stored, {0} if a successor has the key
local held = redis.call('GET', KEYS[1])
if held then
  local record = cjson.decode(held)
  if record.status ~= 'PROCESSING' or string.format('%.0f', record.fence) ~= ARGV[1] then
    return {0}
  end
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = '{"key":' .. cjson.encode(ARGV[2])
  .. ',"status":"SUCCESS","result":' .. (ARGV[6] == '1' and cjson.encode(ARGV[7]) or 'null')
  .. ',"traceId":' .. cjson.encode(ARGV[4])
  .. ',"createdAt":' .. ARGV[5]
  .. ',"expireAt":' .. string.format('%.0f', now + ARGV[9])
  .. ',"fence":' .. ARGV[1]
  .. ',"fingerprint":' .. cjson.encode(ARGV[3])
  .. (ARGV[8] == '200' and '' or ',"http":' .. ARGV[8])
  .. (ARGV[10] and ',"code":' .. cjson.encode(ARGV[10]) .. ',"message":' .. cjson.encode(ARGV[11]) or '') .. '}'
redis.call('SET', KEYS[1], value, 'PX', ARGV[9])
return {1}
