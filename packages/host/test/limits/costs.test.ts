import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { apiClient } from '../../src/api/client.ts'
import { callerOf, person, programEntry } from '../run/person.ts'

const dayMs = 24 * 3_600_000

it('per server: the tools that callers are listed, their tokens, and the calls of exactly 30 days', async (t) => {
  using ann = person()
  const mcpServers = { one: programEntry(), two: programEntry() }
  ann.configure({ policy: { allow: ['*:*'] }, mcpServers })
  await using running = await ann.run()
  const { host } = running
  for (const name of ['one', 'two']) await host.accept(name)
  const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
  const summary = async (server: string) => (await api.call('servers')).items.find(({ name }) => name === server)
  await using mcp = await callerOf(running)

  const tools = (await mcp.tools.list().all()).filter(({ name }) => name.startsWith('one__'))
  const characters = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const tokens = characters.reduce((sum, tool) => sum + Math.ceil(JSON.stringify(tool).length / 3.6), 0)
  const before = await summary('one')
  assert.deepEqual([before?.tools, before?.tokens, before?.callsIn30Days], [tools.length, tokens, 0])

  const line = { kind: 'ended', actKind: 'call', server: 'one', target: 'echo', outcome: 'ok' } as const
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: now - 31 * dayMs })
  await host.ledger.append({ ...line, act: 'too old' })
  t.mock.timers.setTime(now - 29 * dayMs)
  await host.ledger.append({ ...line, act: 'old' })
  t.mock.timers.reset()

  await mcp.tools.call('one__echo', { text: 'a' })
  await mcp.tools.call('one__write', { text: 'a' })
  await mcp.resources.list().all()
  await mcp.resources.read('none://at/all').catch(() => {})
  // in the file, since the host reads it again when the lock of a server that was accepted has been written
  ann.configure({ mcpServers })
  await running.config.readAgain(ann.places.userFile)
  await running.reload()
  await mcp.tools.call('one__write', { text: 'nobody allows this' })
  assert.deepEqual([(await summary('one'))?.callsIn30Days, (await summary('two'))?.callsIn30Days], [3, 0])
  const entries = (await api.call('catalogue')).items.filter(({ server }) => server === 'one')
  const called = entries.filter(({ callsIn30Days }) => callsIn30Days > 0)
  assert.deepEqual(
    called.map(({ original, callsIn30Days }) => [original, callsIn30Days]),
    [
      ['echo', 2],
      ['write', 1],
    ],
  )

  const instructions = 'Look before you write. '.repeat(20)
  await host.catalogue.offer('two', { tools: [], prompts: [], templates: [], instructions })
  const without = (await summary('two'))?.tokens ?? 0
  await host.catalogue.accept('two', [{ kind: 'instructions', original: 'instructions' }])
  const { tools: listed, tokens: all } = (await summary('two')) ?? assert.fail()
  assert.deepEqual([listed, all - without], [tools.length, Math.ceil(instructions.length / 3.6)])

  await api.call('changeEntry', { server: 'one', tool: 'echo', isHidden: true })
  const after = await summary('one')
  assert.equal(after?.tools, tools.length - 1)
  assert.ok((after?.tokens ?? 0) < tokens)
})
