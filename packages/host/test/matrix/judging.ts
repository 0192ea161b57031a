import assert from 'node:assert/strict'
import { textOf } from '../gateway/running-host.ts'
import { type Behaviour, type Cell, said, shown } from './behaviours.ts'
import { nameOf } from './world.ts'

/** Collects requests of servers in acts of the cell's server, by kind, until it is disposed of. */
function askedActs({ world, server }: Cell) {
  const lines: { readonly [kind: string]: string[] } = { elicit: [], sample: [] }
  const stop = world.running.host.ledger.onLine(({ line: { actKind = '', ...line } }) => {
    const said = [line.kind, line.principal, line.outcome].filter((part) => part !== undefined).join(' ')
    if (line.server === server) lines[actKind]?.push(said)
  })
  return { lines, [Symbol.dispose]: stop }
}

/** Requests of servers to callers, lists, and calls of unknown tools: judged by the policy, and recorded. */
export const judging: { readonly [what: string]: Behaviour } = {
  async 'a form and a prompt that the caller answers itself are recorded as its acts'(cell) {
    const principal = `${nameOf(cell.callerSide)}-one`
    using recorded = askedActs(cell)
    cell.caller.answering = (method) =>
      method === 'elicitation/create'
        ? { action: 'accept', content: { name: 'Ada' } }
        : { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'a-model' }
    assert.equal(await said(cell, 'form'), 'Ada')
    await said(cell, 'sample')
    const done = [`began ${principal}`, `ended ${principal} ok`]
    assert.deepEqual(recorded.lines, { elicit: done, sample: done })
  },

  async 'a form that a rule denies is declined, a prompt refused, and the caller hears of neither'(cell) {
    const { client } = await cell.world.caller(cell.callerSide, 'denied')
    using recorded = askedActs(cell)
    const heard = (tool: string) =>
      client.tools.call(shown(cell, tool), {}).then(textOf, (error: Error) => error.message)
    for (const tool of ['form', 'visit']) assert.match(await heard(tool), /decline/)
    assert.match(await heard('sample'), /The policy denies sample/)
    const principal = `${nameOf(cell.callerSide)}-denied`
    const refused = [`began ${principal}`, `refused ${principal} denied`]
    assert.deepEqual(recorded.lines, { elicit: [...refused, ...refused], sample: refused })
  },

  async 'a server whose lists are denied is in none of them, and can be called'(cell) {
    const { client } = await cell.world.caller(cell.callerSide, 'denied')
    const all = cell.caller.client
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      assert.deepEqual(await client[list].list().all(), [], list)
      assert.ok((await all[list].list().all()).length > 0, list)
    }
    assert.deepEqual(await client.resources.templates().all(), [])
    assert.equal(textOf(await client.tools.call(shown(cell, 'echo'), { text: 'x' })), 'x')
  },

  async 'a call of what does not exist is refused and recorded'(cell) {
    const { client } = cell.caller
    const lines: unknown[] = []
    const stop = cell.world.running.host.ledger.onLine(({ line }) => {
      if (line.outcome?.startsWith('unknown ')) lines.push([line.kind, line.actKind, line.target, line.outcome])
    })
    const name = 'x'.repeat(1_000)
    await assert.rejects(client.tools.call(name, {}), /no such tool here/)
    await assert.rejects(client.prompts.get('nothing', {}), /no such prompt here/)
    stop()
    assert.deepEqual(lines, [
      ['refused', 'call', `${'x'.repeat(128)}…`, 'unknown tool'],
      ['refused', 'prompt', 'nothing', 'unknown prompt'],
    ])
  },
}
