/**
 * The host in front of one server, at `/mcp` on `PORT`, without a token: every layer of its stack and the ledger are on.
 * `UPSTREAM` says how it reaches the server: `http` or `stdio`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from '@trunkline/host'
import { port, upstreamUrl } from '../program/setting.ts'
import { upstreamProgram } from '../program/upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
const env = { TOOLS: process.env.TOOLS ?? '1' }
const program = { kind: 'program', command: process.execPath, args: [upstreamProgram], cwd: '/', env } as const
const url = upstreamUrl ?? (process.env.UPSTREAM === 'stdio' ? undefined : await startUpstream())
const launch = url === undefined ? program : ({ kind: 'remote', url, headers: {} } as const)

const host = await startHost({ folder, port, open: true, only: 'bench', servers: [{ name: 'bench', launch }] })
await host.accept('bench')
console.log(`Serving MCP at ${host.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host.close().then(end))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

function end(): void {
  process.exit()
}

/** The program of the benchmark over HTTP, on a free port. */
async function startUpstream(): Promise<string> {
  const { startHttp } = await import('../program/upstream.ts')
  return startHttp()
}
