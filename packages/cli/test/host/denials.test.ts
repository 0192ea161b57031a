import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { commandPath as command } from '../command-path.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { hostHome, upstreamEntry } from './host-home.ts'

const run = promisify(execFile)
const program = programFile(new URL('../fixtures/calls-from-elsewhere.ts', import.meta.url))
const skip = lacking('linux', process.platform === 'linux')

it('what a project denies is denied to a program that works there, whichever directory it names', {
  skip,
}, async () => {
  await using at = hostHome()
  at.configure({ mcpServers: { one: upstreamEntry }, policy: { allow: ['*:*'] } })
  const other = join(at.project, '..', 'other')
  mkdirSync(other)
  writeFileSync(join(at.project, 'trunkline.json'), JSON.stringify({ policy: { deny: ['one:echo'] } }))
  const { ready } = await at.up('--background')
  const api = apiOf(at)
  await acceptServer(api, 'one')
  const { token } = await api.call('addClient', { name: 'agent' })
  await api.call('addClient', { name: 'editor' })
  const ways = { http: ['http', ready.mcp ?? '', token], stdio: ['stdio', command, 'editor'] } as const
  const called = async (way: keyof typeof ways, cwd: string): Promise<string> => {
    const { stdout } = await run(process.execPath, [program, ...ways[way], other, 'one__echo'], { env: at.env, cwd })
    return JSON.parse(stdout).content[0].text
  }
  for (const way of ['http', 'stdio'] as const) {
    assert.match(await called(way, at.project), /The policy denies call "echo" of server "one"/, way)
    assert.equal(await called(way, other), 'hello', way)
  }
  // a denial that is written later counts, once it is read, for who connects next
  writeFileSync(join(other, 'trunkline.json'), JSON.stringify({ policy: { deny: ['one:*'] } }))
  const isDenied = async () => /The policy denies/.test(await called('http', other))
  await until(isDenied, 'the denial to be read')
})
