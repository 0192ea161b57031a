import { serve } from '@trunkline/mcp'
import { postgresStores } from '@trunkline/postgres'
import { redisStores } from '@trunkline/redis'
import { port } from '../program/setting.ts'
import { defined } from './definition.ts'

const address = process.env.CLUSTER ?? ''
const cluster = await (address.startsWith('redis:') ? redisStores(address) : postgresStores(address))
await serve(defined([], { keys: ['a key of thirty-two characters or more'] }), { http: port, cluster })
