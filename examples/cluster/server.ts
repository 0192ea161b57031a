/** One process of the server. Start as many as you like, with the same `CLUSTER`: the address of a Redis or PostgreSQL. */
// region serve
import { serve } from '@trunkline/mcp'
import { postgresStores } from '@trunkline/postgres'
import { redisStores } from '@trunkline/redis'
import { counter } from './counter.ts'

const { CLUSTER = 'redis://127.0.0.1:6379', LISTEN = '127.0.0.1:0', HOSTS = 'localhost,127.0.0.1' } = process.env
const stores = await (CLUSTER.startsWith('redis') ? redisStores(CLUSTER) : postgresStores(CLUSTER))
const { url } = await serve(counter, {
  http: LISTEN,
  hosts: HOSTS.split(','),
  // a process that was not heard of for 3 s counts as ended
  cluster: { stores, leaseMs: 3_000 },
})
// endregion
console.log(url)
