import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const servers = [programSpec('many', 'many-tools'), programSpec('one'), programSpec('changed')]
const rules = [
  parseRule('allow', { match: 'one:write', principal: 'ruled' }, source),
  parseRule('deny', { match: 'one:write{text=no}', principal: 'ruled' }, source),
  parseRule('allow', { match: 'trunkline:*', principal: 'ruled' }, source),
  parseRule('allow', { match: '*:*', principal: 'pinned' }, source),
]

const listed = async (mcp: Client) => (await mcp.tools.list().all()).map(({ name }) => name)

async function found(mcp: Client, query: string, limit?: number): Promise<readonly string[]> {
  const result = await mcp.tools.call('search_tools', { query, ...(limit !== undefined && { limit }) })
  const { tools } = JSON.parse(textOf(result)) as { readonly tools: readonly { readonly name: string }[] }
  return tools.map(({ name }) => name)
}

describe('a profile with search, before a thousand tools', () => {
  // rules and questions are those of one client
  let running: RunningHost
  before(async () => {
    running = await runningHost({ servers, rules, ask: { holdMs: 1 } })
    running.host.setProfiles({ lean: { search: true }, some: { search: true, tools: ['many:get_ticket_*'] } })
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('lists two tools instead of all; other addresses list all', async () => {
    await using lean = await running.dial('/profile/lean')
    assert.deepEqual(await listed(lean), ['search_tools', 'call_tool'])
    await using all = await running.dial('', { name: 'other' })
    const names = await listed(all)
    assert.ok(names.length > 1_000 && !names.includes('search_tools'), String(names.length))
  })

  it('finds tools by name, title, description and parameter, as many as wanted', async () => {
    await using mcp = await running.dial('/profile/lean')
    assert.equal((await found(mcp, 'invoice 500'))[0], 'many__get_invoice_500')
    assert.equal((await found(mcp, 'forecast'))[0], 'many__tell_weather')
    assert.equal((await found(mcp, 'memo'))[0], 'many__write_note')
    assert.equal((await found(mcp, 'currency'))[0], 'many__convert')
    assert.equal((await found(mcp, 'parcels')).length, 10)
    assert.equal((await found(mcp, 'parcels', 50)).length, 50)
    assert.match(textOf(await mcp.tools.call('search_tools', { query: 'zebra' })), /No tool of 1\d\d\d fits "zebra"/)
    const wrong = await mcp.tools.call('search_tools', { query: 'x', limit: 51 })
    assert.equal(wrong.isError, true)
    assert.match(textOf(wrong), /limit/)
  })

  it('follows the current offers of a server, and tools that a profile leaves out are neither found nor called', async () => {
    await using mcp = await running.dial('/profile/some')
    assert.deepEqual(await found(mcp, 'ticket 1'), ['many__get_ticket_1', ...(await found(mcp, 'ticket 1')).slice(1)])
    assert.match(textOf(await mcp.tools.call('search_tools', { query: 'forecast' })), /No tool/)
    const refused = await mcp.tools.call('call_tool', { name: 'many__tell_weather' })
    assert.match(textOf(refused), /Cannot call tool "many__tell_weather": no such tool here/)
    await running.host.catalogue.hide('many', 'tool', 'get_ticket_1', true)
    assert.ok(!(await found(mcp, 'ticket 1', 50)).includes('many__get_ticket_1'))
    const hidden = await mcp.tools.call('call_tool', { name: 'many__get_ticket_1' })
    assert.match(textOf(hidden), /The tool "get_ticket_1" of server "many" cannot be used/)
  })

  it('rules, ledger and inbox see the inner tool and its arguments', async () => {
    await using mcp = await running.dial('/profile/lean', { name: 'ruled' })
    const call = (name: string, args: object) => mcp.tools.call('call_tool', { name, arguments: args })
    assert.equal(textOf(await call('one__write', { text: 'yes' })), 'yes')
    assert.match(textOf(await call('one__write', { text: 'no' })), /The policy denies call "write" of server "one"/)
    const lines = queryLedger(running.host.store, { server: 'one', target: 'write' }).map(({ line }) => line)
    assert.deepEqual(
      lines.map(({ kind, outcome }) => `${kind} ${outcome ?? ''}`.trim()),
      ['refused denied', 'began', 'ended ok', 'began'],
    )
    assert.deepEqual(running.host.ledger.payloads.of(lines[3]?.act ?? '').arguments, { text: 'yes' })
    assert.equal(queryLedger(running.host.store, { target: 'call_tool', principal: 'ruled' }).length, 0)

    assert.match(textOf(await call('many__write_note', { text: 'hello' })), /waits for a person's approval/)
    const question = running.host.inbox.open.find(({ principal }) => principal === 'ruled')
    assert.deepEqual([question?.server, question?.target], ['many', 'write_note'])
    assert.deepEqual(question?.detail.arguments, { text: 'hello' })
    await running.host.inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
    assert.equal(textOf(await call('many__write_note', { text: 'hello' })), 'hello')
    assert.match(textOf(await call('many__write_note', { text: 'other' })), /waits for a person's approval/)
  })

  it('pins see the inner tool: a changed definition stops calls that do not fit both', async () => {
    const { catalogue } = running.host
    const offered = (type: string) => ({
      name: 'write',
      inputSchema: { type: 'object', properties: { text: { type } }, required: ['text'] },
    })
    // while it runs it may list its real offers again
    await running.host.servers.get('changed')?.stop()
    await catalogue.offer('changed', { tools: [offered('number')], prompts: [], templates: [] })
    await using mcp = await running.dial('/profile/lean', { name: 'pinned' })
    const result = await mcp.tools.call('call_tool', { name: 'changed__write', arguments: { text: 'x' } })
    assert.equal(result.isError, true)
    assert.match(textOf(result), /its definition changed, and the arguments do not fit the new one/)
  })

  it('a call without a name, or with arguments that are none, says so', async () => {
    await using mcp = await running.dial('/profile/lean')
    for (const args of [{}, { name: 7 }, { name: 'one__echo', arguments: 'x' }]) {
      const result = await mcp.tools.call('call_tool', args)
      assert.equal(result.isError, true)
      assert.match(textOf(result), /^Cannot call a tool: .*(name|arguments)/)
    }
    const nested = await mcp.tools.call('call_tool', { name: 'call_tool', arguments: { name: 'one__echo' } })
    assert.match(textOf(nested), /Cannot call tool "call_tool": no such tool here/)
  })

  it('a client that searches itself is shown every tool, and none of these', async () => {
    await using mcp = await running.dial('/profile/lean', { name: 'claude-code' })
    const names = await listed(mcp)
    assert.ok(names.length > 1_000 && !names.includes('search_tools') && !names.includes('call_tool'))
  })
})
