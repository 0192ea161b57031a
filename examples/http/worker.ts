// biome-ignore-all lint/style/noDefaultExport: this is how a Worker is found
// region worker
import { toFetch } from '@trunkline/mcp/http'
import { clock } from './clock.ts'

const handler = toFetch(clock, { hosts: ['clock.example'], sessions: false })

const worker = { fetch: (request: Request) => handler(request) }

export { worker as default }
// endregion
