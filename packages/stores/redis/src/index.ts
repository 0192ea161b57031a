/** Sessions, events and rates of a server in Redis or Valkey 7 or newer, which several processes share. */
export type { RedisClient } from './driver.ts'
export { type RedisOptions, type RedisStores, redisStores } from './stores.ts'
