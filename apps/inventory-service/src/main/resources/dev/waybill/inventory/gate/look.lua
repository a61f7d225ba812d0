-- What is known of one key; all empty where nothing is.
local level = redis.pcall('HMGET', KEYS[1], 'available', 'held', 'version')
if level.err then
  return {'', '', ''}
end
return {level[1] or '', level[2] or '0', level[3] or ''}
