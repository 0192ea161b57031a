import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Host } from '@trunkline/host'
import { connect } from '@trunkline/mcp'
import { parse } from 'yaml'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-pipe-'))
process.once('exit', () => rmSync(folder, { recursive: true }))
const args = (name: string) => [join(import.meta.dirname, 'servers.ts'), name]
const servers = ['shop', 'post'].map((name) => ({
  name,
  launch: { kind: 'program', command: process.execPath, args: args(name), cwd: '/', env: {} } as const,
}))

// open and observing, so that this example needs neither a token nor a person
await using host = new Host({ folder, servers, open: true, mode: 'observe' })
await host.start()
for (const { name } of servers) await host.accept(name)
await using mcp = await connect(new URL(host.url))
const plan = parse(readFileSync(join(import.meta.dirname, 'plan.yaml'), 'utf8'))

// region run
const { content } = await mcp.tools.call('pipe', { plan })
console.log(content)
// endregion

const sent = ['to ann@example.com: Your order 1 is late', 'to bob@example.com: Your order 4 is late']
const [block] = content
if (block?.type !== 'text' || block.text !== JSON.stringify({ sent })) throw new Error('It sent something else')
