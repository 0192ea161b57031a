import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

it('a server that lies about everything costs its own offers, each named, and other servers nothing', async () => {
  await using running = await runningHost({
    servers: [programSpec('liar', 'liar'), programSpec('one')],
    rules: [allow],
  })
  await using mcp = await running.dial()
  const names = (await mcp.tools.list().all()).map(({ name }) => name)
  assert.ok(names.includes('liar__honest') && names.includes('one__echo'), names.join())
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z0-9-]+__[\w-]+$/i)
  assert.ok(names.every((name) => name.length <= 44))
  assert.equal(textOf(await mcp.tools.call('liar__honest', {})), 'yes')
  const said = running.host.servers.get('liar')?.status.why ?? ''
  assert.match(
    said,
    /^(?:throttled: [^;]+; )?ready; Left out capability "logging": logging must be an object; and \d+ more, see its status$/,
  )
  // whatever else it writes, each thing that was left out is named
  const named = running.host.servers.get('liar')?.unusable.join('\n') ?? ''
  for (const left of [
    'capability "logging"',
    'tool "honest"',
    'tools[2]',
    '"schema_is_text"',
    'tools[9]',
    'every prompt',
  ])
    assert.ok(named.includes(`Left out ${left}`) || named.includes(left), `${left} in ${named}`)
  const entries = running.host.catalogue.entries('liar')
  // it says that it only reads; its name says something else
  assert.equal(entries.find(({ original }) => original === 'delete_all')?.class, 'unknown')
  assert.notEqual(entries.find(({ original }) => original.startsWith('Ignore'))?.standing, 'usable')
  assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'still here' })), 'still here')
})

it('a server that answers others, twice and in the wrong shape settles each call once', async () => {
  await using running = await runningHost({
    servers: [programSpec('liar', 'liar'), programSpec('one')],
    rules: [allow],
  })
  await using mcp = await running.dial()
  for (let round = 0; round < 20; round += 1) {
    const calls = ['liar__delete_all', 'liar__honest', 'liar__no_schema', 'one__echo'].map((name) =>
      mcp.tools.call(name, name === 'one__echo' ? { text: 'own' } : {}).then(textOf, (error: Error) => error.message),
    )
    const [lied, , , own] = await Promise.all(calls)
    assert.deepEqual([lied, own], ['first', 'own'])
  }
  await assert.doesNotReject(
    mcp.resources
      .list()
      .all()
      .catch((error: Error) => assert.match(error.message, /cursor|more than 100 pages/)),
  )
  assert.equal(running.host.calls.size, 0)
  assert.equal(running.host.ledger.verify().broken, undefined)
  assert.equal(running.host.servers.get('one')?.status.starts, 1)
})
