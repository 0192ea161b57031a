/** Answers of the API about servers, questions and rules when something is wrong. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { answer, callerOf, person, programEntry } from '../run/person.ts'

const ann = person()
let running: RunningHost
/** The API as a page sees it that was opened with a code from the terminal. */
let page: ReturnType<typeof apiClient>

async function start(): Promise<void> {
  running = await ann.run()
  page = apiClient({
    url: new URL('/', running.host.url).href,
    token: (await running.api.pages.trade(running.api.pages.makeCode().code)) ?? '',
  })
}

before(async () => {
  const locked = { command: 'locked-server', args: ['--key', '$' + '{secret:locked}'], env: { LOCKED: 'x' } }
  ann.configure({
    mcpServers: { one: programEntry(), locked, far: { url: 'https://far.example/$' + '{secret:far}' } },
    policy: { allow: ['one:crash'], ask: ['one:echo'], deny: ['nosuch:tool'] },
  })
  await start()
  await running.host.accept('one')
})
after(async () => {
  await running.close()
  ann[Symbol.dispose]()
})

const serverNamed = async (name: string) => (await page.call('servers')).items.find((one) => one.name === name)

describe('a server', () => {
  it('that lacks a secret is told as the program or address that it is, as it is written, with what it lacks', async () => {
    const locked = await serverNamed('locked')
    assert.match(locked?.needs ?? '', /^there is no secret "locked"; keep one: trunkline secret set locked/)
    assert.deepEqual(
      [locked?.isRemote, locked?.command, locked?.variables],
      [false, 'locked-server --key "$' + '{secret:locked}"', ['LOCKED']],
    )
    const far = await serverNamed('far')
    assert.deepEqual([far?.isRemote, far?.command], [true, 'https://far.example/$' + '{secret:far}'])
    assert.deepEqual([(await serverNamed('one'))?.isRemote, (await serverNamed('one'))?.needs], [false, undefined])
  })

  it('is accepted in a terminal where the host has none to show a code', async () => {
    await assert.rejects(
      page.call('makeAcceptCode', { server: 'one' }),
      /no terminal that could show a code: run "trunkline accept one"/,
    )
  })

  it('that failed is told as failed after the host was restarted, until it is ready again', async () => {
    assert.equal((await serverNamed('one'))?.failedAt, undefined)
    await page.call('callTool', { server: 'one', tool: 'crash', run: 'a', arguments: {} })
    await until(async () => (await serverNamed('one'))?.state === 'failing', 'the crash')
    await running.close()
    await start()
    const failed = await serverNamed('one')
    assert.equal(failed?.state, 'waiting')
    assert.match(failed?.why ?? '', /^failed when it ran last: [\s\S]+; now it starts with the first call$/)
    assert.ok((failed?.failedAt ?? 0) <= Date.now())
    await page.call('restart', { server: 'one' })
    const again = await serverNamed('one')
    assert.deepEqual([again?.state, again?.failedAt], ['ready', undefined])
  })
})

describe('a question', () => {
  it('says that its caller is gone, and its act that nothing was sent', async () => {
    await using editor = await callerOf(running)
    const result = await editor.tools.call('one__echo', { text: 'hello' })
    assert.equal(result.isError, true)
    const [question] = running.host.inbox.open.filter(({ kind }) => kind === 'call')
    assert.ok(question)
    const shown = (await page.call('inbox')).items.find(({ id }) => id === question.id)
    assert.deepEqual(shown?.abandoned, { approvalMs: 15 * 60_000 })
    const [line] = (await page.call('ledger', { target: 'echo', kind: 'refused' })).items
    assert.deepEqual([line?.line.outcome, line?.line.isSent], ['waiting', false])
    await answer(running, question, 'once')
    const later = await editor.tools.call('one__echo', { text: 'hello' })
    assert.deepEqual(later.content, [{ type: 'text', text: 'hello' }])
  })
})

describe('a rule', () => {
  it('that matches nothing is told with the reason, in force or tried', async () => {
    const { rules } = await page.call('policy')
    const unmatched = rules.flatMap(({ text, unmatched: why }) => (why === undefined ? [] : `${text}: ${why}`))
    assert.deepEqual(unmatched, ['nosuch:tool: No server is called "nosuch"; there are one, locked, far'])
    const tried = await page.call('dryRunPolicy', { rules: [{ effect: 'deny', rule: 'one:[[' }] })
    assert.match(tried.unmatched[0]?.why ?? '', /^No tool of "one" is called "\[\["; there are /)
  })
})
