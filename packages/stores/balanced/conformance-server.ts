/**
 * Three processes of the conformance server over one engine, behind a balancer that sends every request to another process
 * than the last one. `ENGINE` names the engine, which is started for it; the first line says where the balancer listens.
 */
import { fileURLToPath } from 'node:url'
import { startServer } from '../../../tools/conformance/fixture.ts'
import { programFile } from '../../../tools/lib/program-file.ts'
import { startBalancer } from '../chaos/balancer.ts'
import { startEngine } from './engine.ts'

const count = 3
const program = programFile(fileURLToPath(new URL('../../mcp/test/conformance/server.ts', import.meta.url)))

await using running = new AsyncDisposableStack()
const stopped = new Promise<void>((resolve) => process.once('SIGTERM', resolve))
const engine = running.use(await startEngine(process.env.ENGINE ?? ''))
const starting = Array.from({ length: count }, () => startServer(program, { CLUSTER: engine.address }))
const processes = (await Promise.all(starting)).map((each) => running.use(each))
const { url } = running.use(await startBalancer(processes))
console.log(`Serving MCP at ${url}`)
await stopped
