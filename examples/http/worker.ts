// biome-ignore-all lint/style/noDefaultExport: this is how a Worker is found
// region worker
import { toFetch } from '@trunkline/mcp/http'
import { clock } from './clock.ts'

export default { fetch: toFetch(clock, { hosts: ['clock.example'], sessions: false }) }
// endregion
