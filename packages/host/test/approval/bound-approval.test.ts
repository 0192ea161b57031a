/**
 * An approval is for one call and no other: the same principal, server, tool, definition, arguments and policy, once, and
 * in time. Whatever differs is refused and does not reach the server.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const waits = /waits for a person's approval/

/** Servers that note their calls, and a host whose questions are answered by hand. */
async function started({ names = ['one'], ...options }: Partial<HostOptions> & { readonly names?: string[] } = {}) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'notes')
  const servers = names.map((name) => {
    const spec = programSpec(name, 'noting')
    if (spec.launch.kind !== 'program') throw new Error('not a program')
    return { ...spec, launch: { ...spec.launch, env: { ...spec.launch.env, NOTES: file, NAME: name } } }
  })
  const running = await runningHost({ servers, ask: { holdMs: 1 }, ...options })
  return {
    ...running,
    servers,
    /** Calls that reached the servers. */
    notes: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const call = async (mcp: Client, name = 'one__write', text = 'a') => textOf(await mcp.tools.call(name, { text }))

/** Asks for a call and approves it; returns the id of the decision. */
async function approved({ host }: RunningHost, mcp: Client): Promise<string> {
  assert.match(await call(mcp), waits)
  const question = host.inbox.open.at(-1)
  assert.ok(question)
  await host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
  return question.id
}

const linesOf = ({ host }: RunningHost, question: string) =>
  queryLedger(host.store, { server: 'one' })
    .map(({ line }) => line)
    .filter((line) => line.question === question)
    .map(({ kind, outcome, by }) => [kind, outcome, by].filter(Boolean).join(' '))
    .reverse()

describe('an approval', () => {
  it('lets the same call run once, and every line names the decision', async () => {
    await using running = await started()
    await using mcp = await running.dial('')
    const decision = await approved(running, mcp)
    assert.deepEqual(running.notes(), [])
    assert.equal(await call(mcp), 'done')
    assert.deepEqual(running.notes(), ['one write a'])
    assert.deepEqual(linesOf(running, decision), ['refused waiting', 'decided once terminal', 'ended ok'])
    assert.match(await call(mcp), waits)
    assert.deepEqual(running.notes(), ['one write a'])
  })

  const others: readonly (readonly [what: string, another: (running: RunningHost, mcp: Client) => Promise<string>])[] =
    [
      [
        'another principal',
        async (running) => {
          await using other = await running.dial('', { name: 'other' })
          return await call(other)
        },
      ],
      ['another server', (_running, mcp) => call(mcp, 'two__write')],
      ['another tool', (_running, mcp) => call(mcp, 'one__send')],
      ['other arguments', (_running, mcp) => call(mcp, 'one__write', 'b')],
      ['more arguments', async (_running, mcp) => textOf(await mcp.tools.call('one__write', { text: 'a', more: 1 }))],
      [
        'another policy',
        (running, mcp) => {
          const rule = parseRule('deny', 'one:send', { layer: 'user', file: 'trunkline.json', line: 1 })
          running.host.setPolicy({ rules: [rule] })
          return call(mcp)
        },
      ],
      [
        'another definition',
        async ({ host }, mcp) => {
          const tool = { name: 'write', description: 'changed', inputSchema: { type: 'object' } }
          // while it runs it may list its real offers again
          await host.servers.get('one')?.stop()
          await host.catalogue.offer('one', { tools: [tool], prompts: [], templates: [] })
          await host.catalogue.accept('one', [{ kind: 'tool', original: 'write' }])
          return call(mcp)
        },
      ],
      [
        'another accepted command',
        async ({ host }, mcp) => {
          const specs = host.specs.map((spec) =>
            spec.name === 'one' && spec.launch.kind === 'program'
              ? { ...spec, launch: { ...spec.launch, env: { ...spec.launch.env, MORE: '1' } } }
              : spec,
          )
          await host.apply(specs)
          await host.accept('one')
          return call(mcp)
        },
      ],
    ]
  for (const [what, another] of others) {
    it(`is of no use for ${what}: that is asked about anew and does not reach the server`, async () => {
      await using running = await started({ names: what === 'another server' ? ['one', 'two'] : ['one'] })
      await using mcp = await running.dial('')
      await approved(running, mcp)
      assert.match(await another(running, mcp), waits)
      assert.deepEqual(running.notes(), [])
    })
  }

  it('is of no use once it is too old', async (t) => {
    await using running = await started()
    await using mcp = await running.dial('')
    const decision = await approved(running, mcp)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 15 * 60_000 + 1 })
    assert.match(await call(mcp), waits)
    assert.deepEqual(running.notes(), [])
    assert.deepEqual(linesOf(running, decision), ['refused waiting', 'decided once terminal'])
  })

  it('that did not come in time is a recorded refusal under the id of the decision, and a later call asks anew', async () => {
    await using running = await started({ limits: { questionMs: 1_000 } })
    await using mcp = await running.dial('')
    assert.match(await call(mcp), waits)
    const [question] = running.host.inbox.open
    assert.ok(question)
    await running.host.inbox.settled(question.id)
    assert.deepEqual(linesOf(running, question.id), ['refused waiting', 'refused expired'])
    await assert.rejects(
      running.host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true }),
      /it expired/,
    )
    assert.match(await call(mcp), waits)
    assert.notEqual(running.host.inbox.open[0]?.id, question.id)
    assert.deepEqual(running.notes(), [])
  })

  it('that comes too late for a call that is held refuses that call under the same id', async () => {
    await using running = await started({ limits: { questionMs: 1_000 }, ask: { holdMs: 60_000 } })
    await using mcp = await running.dial('')
    const held = call(mcp)
    assert.match(await held, /Nobody allowed this call: nobody answered/)
    const [line] = queryLedger(running.host.store, { outcome: 'expired', kind: 'refused' })
    assert.ok(line?.line.question)
    assert.deepEqual(linesOf(running, line.line.question), ['refused expired', 'refused expired'])
    assert.deepEqual(running.notes(), [])
  })

  it('that was refused is recorded with the person and the reason, and the call does not reach the server', async () => {
    await using running = await started()
    await using mcp = await running.dial('')
    assert.match(await call(mcp), waits)
    const [question] = running.host.inbox.open
    const answer = { choice: 'refuse', sentence: 'not today', by: 'console' } as const
    await running.host.inbox.answer(question?.id ?? '', answer, { isLocal: true })
    assert.match(await call(mcp), /A person refused this call: not today/)
    const expected = ['refused waiting', 'decided refuse console', 'refused refused']
    assert.deepEqual(linesOf(running, question?.id ?? ''), expected)
    assert.deepEqual(running.notes(), [])
    assert.equal(running.host.ledger.verify().broken, undefined)
  })
})
