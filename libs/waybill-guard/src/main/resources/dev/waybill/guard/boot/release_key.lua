-- Frees KEYS[1] if the claim with the fence ARGV[1] still holds it.
-- Returns {1} if freed, {0} if not
local held = redis.call('GET', KEYS[1])
if not held then
  return {0}
end
local record = cjson.decode(held)
if record.status ~= 'PROCESSING' or string.format('%.0f', record.fence) ~= ARGV[1] then
  return {0}
end
redis.call('DEL', KEYS[1])
return {1}
