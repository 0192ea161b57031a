/**
 * The fixture of the conformance suite behind the gateway, at `/mcp` on `PORT`, without a token and with a policy that
 * allows all. `UPSTREAM` says how the gateway reaches it: `http` or `stdio`; `VIEW=aggregate` shows it as one of many.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { startHost } from '../../src/assembly/start-host.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { Launch } from '../../src/servers/launch.ts'
import { underOwnNames } from './own-names.ts'

const fixture = programFile(new URL('../../../mcp/test/conformance/server.ts', import.meta.url))
const port = Number(process.env.PORT ?? 0)
const isAggregate = process.env.VIEW === 'aggregate'
// short, so that no name of a tool becomes too long
const name = 'c'
const source = { layer: 'flags', file: 'gateway.ts', line: 1 }

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const host = await startHost({
  folder,
  port: isAggregate ? 0 : port,
  open: true,
  ...(!isAggregate && { only: name }),
  servers: [{ name, launch: await launch(), eager: true }],
  rules: ['*:*', '*:@*'].map((text) => parseRule('allow', text, source)),
})
await host.accept(name)
console.log(`Serving MCP at ${isAggregate ? await underOwnNames(host.url, name, port) : host.url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void host.close().then(() => process.exit()))

async function launch(): Promise<Launch> {
  if (process.env.UPSTREAM === 'stdio') {
    return { kind: 'program', command: process.execPath, args: [fixture, '--stdio'], cwd: process.cwd(), env: {} }
  }
  const child = spawn(process.execPath, [fixture], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => child.kill())
  for await (const line of createInterface(child.stdout))
    return { kind: 'remote', url: /https?:\S+/.exec(line)?.[0] ?? '', headers: {} }
  throw new Error('Cannot start the fixture: it said nothing')
}
