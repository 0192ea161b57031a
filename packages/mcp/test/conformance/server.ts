/**
 * A server with everything that the official conformance suite asks for, at every revision; listens on `PORT`, or with
 * `--stdio` on its input. With `CLUSTER`, the address of a PostgreSQL or Redis, it is one process of several. Started in the root of
 * the repository.
 */
import { serve, server } from '@trunkline/mcp'
import type { ClusterStores } from '@trunkline/mcp/http'
import { skills } from '@trunkline/mcp/skills'
import { tasks } from '@trunkline/mcp/tasks'
import { offerChanges } from './server/changes.ts'
import { offerContent } from './server/content.ts'
import { offerForms } from './server/forms.ts'
import { offerInput } from './server/input.ts'
import { offerPrompts } from './server/prompts.ts'
import { offerReports } from './server/reports.ts'
import { offerResources } from './server/resources.ts'
import { offerSchemas } from './server/schemas.ts'
import { offerTasks } from './server/tasks.ts'

const address = process.argv.includes('--stdio') ? undefined : process.env.CLUSTER
const cluster = address === undefined ? undefined : await storesAt(address)
const extensions = [skills('packages/mcp/test/conformance/server/skills'), tasks()] as const
// an engine that may lose what it acknowledged keeps no tasks
const hasTasks = cluster === undefined || cluster.tasks !== undefined

const everything = server({
  name: 'conformance',
  version: '1.0.0',
  instructions: 'Call whichever tool is named after what you want to see.',
  cache: { ttlMs: 60_000, scope: 'public' },
  keys: ['a key of the conformance server, which all its processes have'],
  extensions: hasTasks ? extensions : (extensions.slice(0, 1) as unknown as typeof extensions),
})

offerContent(everything)
offerReports(everything)
offerForms(everything)
offerInput(everything)
offerSchemas(everything)
offerResources(everything)
offerPrompts(everything)
offerChanges(everything, cluster !== undefined)
if (hasTasks) offerTasks(everything)

if (process.argv.includes('--stdio')) await serve(everything)
else {
  const { url } = await serve(everything, { http: process.env.PORT ?? 3_000, ...(cluster && { cluster }) })
  console.log(`Serving MCP at ${url}`)
}

/** The stores of an engine, loaded only where they are used. */
async function storesAt(address: string): Promise<ClusterStores> {
  if (/^rediss?:/.test(address)) return (await import('@trunkline/redis')).redisStores(address)
  return (await import('@trunkline/postgres')).postgresStores(address)
}
