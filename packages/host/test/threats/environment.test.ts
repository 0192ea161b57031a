import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person } from '../run/person.ts'

const program = programFile(new URL('../programs/reveal.ts', import.meta.url))
/** Variables that a program may have; `MCP_PROCESS_TREE` marks its child processes. */
const known = new Set(['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'MCP_PROCESS_TREE', 'OWN'])
/** Variables around a host, which it passes on to no program. */
const around = { TRUNKLINE_TEST_SECRET: 'canary', LOGNAME: 'ann', LC_ALL: 'C', TERM: 'dumb', SHELL: '/bin/sh' }

it('a program gets its words as they are, its own variables, and none of the secrets around it', async (t) => {
  using ann = person()
  const before = { ...process.env }
  Object.assign(process.env, around)
  t.after(() => {
    for (const name of Object.keys(around)) delete process.env[name]
    Object.assign(process.env, before)
  })
  const pwned = join(ann.project, 'pwned')
  const words = [`; touch ${pwned}`, `$(touch ${pwned})`, `\`touch ${pwned}\``, '--flag', '', 'a b', "'", '"']
  const entry = { command: process.execPath, args: [program, ...words], env: { OWN: 'mine' } }
  ann.configure({ mcpServers: { reveal: entry } })
  await using running = await ann.run()
  await running.host.accept('reveal')
  await using mcp = await callerOf(running)
  const { args, env } = JSON.parse(textOf(await mcp.tools.call('reveal__get_all', {})))
  assert.deepEqual(args, words)
  assert.equal(existsSync(pwned), false)
  assert.equal(env.OWN, 'mine')
  assert.deepEqual(
    Object.keys(env).filter((name) => !known.has(name)),
    [],
  )
})

it('a line end or NUL in a command is refused before anything is started', async () => {
  using ann = person()
  const pwned = join(ann.project, 'pwned')
  const script = `require('node:fs').writeFileSync(${JSON.stringify(pwned)}, '')`
  const entry = (end: string) => ({ command: process.execPath, args: ['-e', `${script}${end}`] })
  ann.configure({ mcpServers: { nul: entry('\0'), line: entry('\n') } })
  await using running = await ann.run()
  await assert.rejects(running.host.accept('nul'), /mcpServers\.nul\.args\.1 holds a NUL character; remove it/)
  await assert.rejects(running.host.accept('line'), /args contains a line break or NUL/)
  assert.equal(existsSync(pwned), false)
})
