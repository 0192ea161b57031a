import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client, ClientOptions, Fields } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import type { Question } from '../../src/inbox/question.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const calls = parseRule('allow', '*:*', source)
const revisions = ['2025-11-25', '2026-07-28']

/** A caller that answers forms and prompts itself, and notes them. */
async function answering(running: RunningHost, revision: string) {
  const asked: string[] = []
  const answer = async (method: string): Promise<Fields> => {
    asked.push(method)
    if (method === 'elicitation/create') return { action: 'accept', content: { size: 'S' } }
    return { role: 'assistant', content: { type: 'text', text: 'of the caller' }, model: 'its-own' }
  }
  const options: ClientOptions = {
    revisions: [revision],
    relay: { capabilities: { elicitation: { form: {} }, sampling: {} }, answer },
  }
  return { mcp: await running.dial('', options), asked }
}

const said = (mcp: Client, tool: string) =>
  mcp.tools.call(`asker__${tool}`, {}).then(textOf, (error: Error) => error.message)

/** Awaits the work; fails as soon as a person is asked about it. */
async function unasked({ host }: RunningHost, work: Promise<string>): Promise<string> {
  let ended: string | undefined
  void work.then((text) => {
    ended = text
  })
  while (ended === undefined) {
    assert.deepEqual(host.inbox.open, [])
    await new Promise(setImmediate)
  }
  return ended
}

/** The only open question while something is worked on; fails if that ends without one. */
async function questionDuring({ host }: RunningHost, work: Promise<string>): Promise<Question> {
  let ended: string | undefined
  void work.then((text) => {
    ended = text
  })
  await until(() => !(host.inbox.open.length === 0 && ended === undefined))
  const [question = assert.fail(`Nobody was asked: ${ended}`), ...more] = host.inbox.open
  assert.deepEqual(more, [])
  return question
}

const here = { isLocal: true }

for (const revision of revisions) {
  describe(`a request of a server to a ${revision} caller that can answer itself`, () => {
    let running: RunningHost
    before(async () => {
      running = await runningHost({ servers: [programSpec('asker', 'asker')] })
    })
    after(() => running?.[Symbol.asyncDispose]())
    const setRules = (...more: readonly ReturnType<typeof parseRule>[]) =>
      running.host.setPolicy({ rules: [calls, ...more] })

    it('reaches it where no rule says otherwise, and no person is asked', async () => {
      setRules()
      const { mcp, asked } = await answering(running, revision)
      assert.equal(await unasked(running, said(mcp, 'order')), 'Size S')
      assert.match(await unasked(running, said(mcp, 'think')), /of the caller/)
      assert.deepEqual(asked, ['elicitation/create', 'sampling/createMessage'])
      assert.deepEqual(running.host.inbox.open, [])
      await mcp.close()
    })

    it('a form that a rule asks about is one question in the inbox, and the caller is not asked', async () => {
      setRules(parseRule('ask', 'asker:@elicit', source))
      const { mcp, asked } = await answering(running, revision)
      const order = said(mcp, 'order')
      const { id, kind } = await questionDuring(running, order)
      assert.equal(kind, 'form')
      await running.host.inbox.answer(id, { choice: 'once', content: { size: 'M' }, by: 'terminal' }, here)
      assert.equal(await order, 'Size M')
      assert.deepEqual([asked, running.host.inbox.open], [[], []])
      await mcp.close()
    })

    it('a prompt that a rule asks about is shown before it reaches the model of the caller, and its answer is not', async () => {
      setRules(parseRule('ask', 'asker:@sample', source))
      const { mcp, asked } = await answering(running, revision)
      const first = said(mcp, 'think')
      const { id, kind, detail } = await questionDuring(running, first)
      assert.deepEqual([kind, detail.model, detail.provider, asked], ['prompt', 'its own model', 'editor', []])
      await running.host.inbox.answer(id, { choice: 'once', by: 'terminal' }, here)
      assert.match(await first, /of the caller/)
      assert.deepEqual([asked, running.host.inbox.open], [['sampling/createMessage'], []])
      const second = said(mcp, 'think')
      await running.host.inbox.answer(
        (await questionDuring(running, second)).id,
        { choice: 'refuse', by: 'terminal' },
        here,
      )
      assert.match(await second, /A person refused the request/)
      assert.equal(asked.length, 1)
      await mcp.close()
    })

    it('an answer that a rule reviews is shown before the server has it', async () => {
      const review = parseRule('ask', 'asker:@sample', source)
      running.host.setPolicy({ rules: [calls], reviews: [review] })
      const { mcp } = await answering(running, revision)
      const thought = said(mcp, 'think')
      const { id, kind } = await questionDuring(running, thought)
      assert.equal(kind, 'result')
      await running.host.inbox.answer(id, { choice: 'refuse', by: 'terminal' }, here)
      assert.match(await thought, /A person refused the answer/)
      await mcp.close()
    })

    it('counts as acts of the caller: beyond its pace a server gets an error, and no person is asked', async () => {
      // the calls of others count too, so it has a host of its own
      await using running = await runningHost({ servers: [programSpec('asker', 'asker')], rules: [calls] })
      const { mcp, asked } = await answering(running, revision)
      // the call itself is one
      running.host.maxCallsPerMinute = 1
      assert.match(await said(mcp, 'order'), /Too many calls of "editor"/)
      assert.deepEqual(asked, [])
      const [line] = queryLedger(running.host.store, { target: '@elicit' })
      assert.deepEqual([line?.line.kind, line?.line.outcome], ['refused', 'limited'])
      await mcp.close()
    })
  })
}

describe('a host without a person to ask', () => {
  it('cancels a form that a rule asks about, and refuses such a prompt with the rule that would allow it', async () => {
    const rules = [calls, ...['@elicit', '@sample'].map((kind) => parseRule('ask', `asker:${kind}`, source))]
    await using running = await runningHost({ servers: [programSpec('asker', 'asker')], rules, unattended: true })
    const { mcp, asked } = await answering(running, '2025-11-25')
    assert.match(await said(mcp, 'order'), /cancel/)
    assert.match(await said(mcp, 'think'), /Nobody can be asked here/)
    assert.deepEqual(asked, [])
    await mcp.close()
  })
})
