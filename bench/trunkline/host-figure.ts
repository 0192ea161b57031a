/** One figure of the running host, printed as a number; `FIGURE` says which. Servers and callers are real ones on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, runHost, startHost } from '@trunkline/host'
import { type Client, connect } from '@trunkline/mcp'
import { upstreamProgram } from '../program/upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const opened: Host[] = []

type Launch = NonNullable<ConstructorParameters<typeof Host>[0]['servers']>[number]['launch']

const program = (args: readonly string[]): Launch => ({
  kind: 'program',
  command: process.execPath,
  args,
  cwd: '/',
  env: { TOOLS: '1' },
})
const named = (count: number, launch: Launch) =>
  Array.from({ length: count }, (_, at) => ({ name: `server-${at}`, launch, breaker: { firstWaitMs: 3_600_000 } }))

async function hostOf(servers: ReturnType<typeof named>, accepts = servers.length): Promise<Host> {
  const host = await startHost({ folder, open: true, servers })
  opened.push(host)
  for (const { name } of servers.slice(0, accepts)) await host.accept(name)
  return host
}

const dial = (host: Host): Promise<Client> => connect(new URL(host.url), { revisions: ['2025-11-25'] })

/** The first list of a host whose twelve servers it knows and that do not run, in milliseconds. */
async function storedLists(): Promise<number> {
  const servers = named(12, program([upstreamProgram]))
  await (await hostOf(servers)).close()
  const host = await hostOf(servers, 0)
  const mcp = await dial(host)
  const start = performance.now()
  const tools = await mcp.tools.list().all()
  const ms = performance.now() - start
  if (tools.length < 12 || host.servers.status.some(({ starts }) => starts > 0))
    throw new Error('Cannot count this list')
  return ms
}

/** A call of a server that fails again and again, while it is left alone, in milliseconds. */
async function refusedCall(): Promise<number> {
  const good = named(1, program([upstreamProgram]))
  const host = await hostOf(good)
  const upstream = host.servers.get('server-0')
  for (const _ of ['once', 'and again']) {
    await upstream?.client()
    const { pid } = upstream?.status ?? {}
    if (pid === undefined) throw new Error('Cannot kill the server: it does not run')
    process.kill(pid, 'SIGKILL')
    while (upstream?.isConnected) await new Promise(setImmediate)
  }
  const mcp = await dial(host)
  const call = () => mcp.tools.call('server-0__echo', { text: 'hello' })
  if (!JSON.stringify(await call()).includes('tried again in')) throw new Error('Cannot count this call: it was made')
  const start = performance.now()
  for (let count = 0; count < 100; count += 1) await call()
  return (performance.now() - start) / 100
}

/** From a change of the configuration until it is in force, in milliseconds. */
async function hotReload(): Promise<number> {
  const environment = { ...process.env, TRUNKLINE_HOME: folder }
  const machine = { platform: process.platform, home: folder, environment }
  let applied = (): void => {}
  const running = await runHost({
    machine,
    directory: folder,
    flags: { 'host.port': 0 },
    unattended: true,
    onConfig: ({ servers }) => servers.includes('one') && applied(),
  })
  const isApplied = new Promise<void>((resolve) => {
    applied = resolve
  })
  const start = performance.now()
  writeFileSync(join(folder, 'trunkline.json'), JSON.stringify({ mcpServers: { one: { command: 'node' } } }))
  await isApplied
  const ms = performance.now() - start
  await running.close()
  return ms
}

const figures: { readonly [name: string]: () => Promise<number> } = {
  'stored-lists': storedLists,
  'refused-call': refusedCall,
  'hot-reload': hotReload,
}

console.log(await figures[process.env.FIGURE ?? '']?.())
for (const host of opened) await host.close().catch(() => {})
process.exit()
