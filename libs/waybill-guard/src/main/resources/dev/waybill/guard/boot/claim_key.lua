-- Claims KEYS[1] if it is free.
-- ARGV: key (without "idempotent:"), fingerprint, traceId, lease (ms)
-- Returns {'CLAIMED', fence, createdAt} | {'PROCESSING'} | {'OTHER'}
--   | {'DONE', 1 or 0, result, http status, code or '', message or ''}
local held = redis.call('GET', KEYS[1])
if held then
  local record = cjson.decode(held)
  if record.fingerprint ~= ARGV[2] then
    return {'OTHER'}
  end
  if record.status ~= 'SUCCESS' then
    return {'PROCESSING'}
  end
  local http = record.http or 200
  if record.result == nil or record.result == cjson.null then
    return {'DONE', 0, '', http, '', ''}
  end
  return {'DONE', 1, record.result, http, record.code or '', record.message or ''}
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Microseconds as the fence: they grow from claim to claim, also when the key was forgotten in between.
local fence = string.format('%.0f', time[1] * 1000000 + time[2])
local value = '{"key":' .. cjson.encode(ARGV[1])
  .. ',"status":"PROCESSING","result":null,"traceId":' .. cjson.encode(ARGV[3])
  .. ',"createdAt":' .. string.format('%.0f', now)
  .. ',"expireAt":' .. string.format('%.0f', now + ARGV[4])
  .. ',"fence":' .. fence
  .. ',"fingerprint":' .. cjson.encode(ARGV[2]) .. '}'
redis.call('SET', KEYS[1], value, 'PX', ARGV[4])
return {'CLAIMED', fence, now}
