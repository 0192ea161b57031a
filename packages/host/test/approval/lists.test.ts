import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const servers = [programSpec('one'), programSpec('tracker', 'tracker')]

async function names(running: RunningHost, path: string, name: string): Promise<readonly string[]> {
  await using mcp = await running.dial(path, { name })
  return (await mcp.tools.list().all()).map((tool) => tool.name)
}

const of = (server: string, tools: readonly string[]) => tools.filter((name) => name.startsWith(`${server}__`))

describe('deny SERVER:@list', () => {
  it('keeps a server from the lists of a principal at every address, and not from those of others', async () => {
    const rule = parseRule('deny', { match: 'tracker:@list', principal: 'editor' }, source)
    await using running = await runningHost({ servers, rules: [rule] })
    running.host.setProfiles({ some: { servers: ['tracker'] } })
    const all = await names(running, '', 'editor')
    assert.deepEqual(of('tracker', all), [])
    assert.ok(of('one', all).length > 0)
    for (const path of ['/server/tracker', '/profile/some']) {
      assert.deepEqual(await names(running, path, 'editor'), [], path)
      assert.ok((await names(running, path, 'other')).length > 0, path)
    }
    assert.ok(of('tracker', await names(running, '', 'other')).length > 0)
  })

  it('keeps it from the results of a search, which still finds the others', async () => {
    const rule = parseRule('deny', 'tracker:@list', source)
    await using running = await runningHost({ servers, rules: [rule] })
    running.host.setProfiles({ lean: { search: true } })
    await using mcp = await running.dial('/profile/lean')
    const found = async (query: string) => textOf(await mcp.tools.call('search_tools', { query }))
    assert.match(await found('list issues'), /No tool of \d+ fits/)
    assert.match(await found('echo'), /one__echo/)
    running.host.setPolicy({ rules: [] })
    assert.match(await found('list issues'), /tracker__list_issues/)
  })

  it('and "ask" for lists hide alike, since a list never asks; a hidden tool can be called', async () => {
    const rules = [parseRule('ask', '*:@list', source), parseRule('allow', 'one:echo', source)]
    await using running = await runningHost({ servers, rules })
    await using mcp = await running.dial()
    assert.deepEqual(await mcp.tools.list().all(), [])
    assert.deepEqual(running.host.inbox.open, [])
    assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'x' })), 'x')
  })
})
