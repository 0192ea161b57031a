/**
 * The host in front of one server, at `/mcp` on `PORT`, without a token: every layer of its stack and the ledger are on.
 * `UPSTREAM` says how it reaches the server: `http` or `stdio`. `SERVERS` puts more of them beside it, all offered
 * together; `SICK` makes three of them hang, flood and crash, and `FLOODS` makes one for each kind that it names flood.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from '@trunkline/host'
import { port, upstreamUrl } from '../program/setting.ts'
import { flooderProgram, sickProgram, upstreamProgram } from '../program/upstream.ts'

// run by hand it is as the command runs a host; a benchmark gives the flags itself, from a folder without that file
const flagsOfCommand = new URL('../../packages/cli/src/service/host-flags.ts', import.meta.url)
if (existsSync(flagsOfCommand)) (await import(flagsOfCommand.href)).runWithHostFlags()

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
const env = { TOOLS: process.env.TOOLS ?? '1' }
const program = { kind: 'program', command: process.execPath, args: [upstreamProgram], cwd: '/', env } as const
const url = upstreamUrl ?? (process.env.UPSTREAM === 'stdio' ? undefined : await startUpstream())
const launch = url === undefined ? program : ({ kind: 'remote', url, headers: {} } as const)

const count = Number(process.env.SERVERS ?? 1)
const ways = process.env.SICK === '1' ? ['hangs', 'floods', 'crashes'] : []
const sick = ways.map((way) => eagerServer(way, sickProgram))
const kinds = process.env.FLOODS?.split(',') ?? []
const flooders = kinds.map((kind) => eagerServer(kind, flooderProgram))
const well = Array.from({ length: count - sick.length - flooders.length }, (_, at) => ({
  name: at === 0 ? 'bench' : `bench-${at}`,
  launch,
}))

const servers = [...well, ...sick, ...flooders]
const host = await startHost({ folder, port, open: true, servers, ...(count === 1 && { only: 'bench' }) })
// one that is sick is accepted all the same, and never gets to say what it offers
for (const { name } of sick) host.accept(name).catch(() => {})
for (const { name } of [...well, ...flooders]) await host.accept(name)
console.log(`Serving MCP at ${host.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host.close().then(end))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

function eagerServer(way: string, file: string) {
  const launch = { kind: 'program', command: process.execPath, args: [file, way], cwd: '/', env } as const
  return { name: way, eager: true, launch }
}

function end(): void {
  process.exit()
}

/** The program of the benchmark over HTTP, on a free port. */
async function startUpstream(): Promise<string> {
  const { startHttp } = await import('../program/upstream.ts')
  return startHttp()
}
