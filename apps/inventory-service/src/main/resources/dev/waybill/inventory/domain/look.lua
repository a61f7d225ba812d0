-- What is known of one key, KEYS[3]: available, held, version, or nothing.
local level = redis.pcall('HMGET', KEYS[3], 'available', 'held', 'version')
if level.err or not tonumber(level[1] or nil) or not tonumber(level[3] or nil) then
  return {}
end
return {level[1], level[2] or '0', level[3]}
