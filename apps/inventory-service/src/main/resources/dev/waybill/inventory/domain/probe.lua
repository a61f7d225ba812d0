-- Writes, because a Redis that is full, or a replica, still reads.
redis.call('SET', KEYS[3], '1', 'PX', 1000)
return {}
