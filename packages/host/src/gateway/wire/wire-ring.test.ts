import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { Fields } from '@trunkline/mcp'
import { memoryPair } from '@trunkline/mcp/testing'
import type { Act } from '../../act/act.ts'
import { CallerHttp } from './caller-http.ts'
import { maxMessageLength, messageText } from './message-text.ts'
import { maxOpeningLength, Openings } from './openings.ts'
import { shownHeaders, shownUrl } from './shown-headers.ts'
import { tapFront } from './tap-front.ts'
import { tapServer } from './tap-server.ts'
import { bytesOf, type WireMessage } from './wire-item.ts'
import { WireLog } from './wire-log.ts'
import { WireRing } from './wire-ring.ts'
import { wireSpans } from './wire-spans.ts'

let number = 0
function item(more: Partial<WireMessage> = {}): WireMessage {
  number += 1
  const envelope = { kind: 'message', number, at: number * 10, act: 'a', server: 'one', id: 1 } as const
  const passed = { hop: 'server', direction: 'sent', connection: 's1', method: 'tools/call' } as const
  return { ...envelope, ...passed, isError: false, isLaterRound: false, text: 'x'.repeat(100), ...more }
}

test('WireRing: keeps so many bytes of memory, and the oldest makes room', () => {
  const ring = new WireRing(bytesOf(item()) * 10)
  for (let count = 0; count < 5_000; count += 1) ring.add(item({ id: count }))
  assert.equal(ring.items.length, 10)
  assert.equal(ring.forgotten, 4_990)
  assert.ok(ring.bytes <= bytesOf(item()) * 10)
  assert.deepEqual((ring.items[0] as WireMessage).id, 4_990)
})

test('messageText: no secrets; of a large message or at the level "shape" only the shape', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { token: 'abc', text: 'hello' } }
  assert.match(messageText(message, 'full'), /"token":"\[masked\]","text":"hello"/)
  assert.match(messageText(message, 'shape'), /"id":1,"method":"tools\/call","params":{"token":"string of 3"/)
  const large = { ...message, params: { text: 'y'.repeat(maxMessageLength + 1) } }
  assert.ok(messageText(large, 'full').length < 200)
})

test('shownHeaders, shownUrl: values of headers that may be secret are masked, whatever their names', () => {
  assert.deepEqual(shownHeaders({ Accept: 'a/b', 'X-Mine': 'secret', Authorization: 'Bearer abcdefgh' }), {
    accept: 'a/b',
    'x-mine': '[masked]',
    authorization: '[masked]',
  })
  assert.equal(
    shownUrl('https://me:pw@example.com/mcp?token=abc&page=2'),
    'https://example.com/mcp?token=[masked]&page=2',
  )
})

describe('WireLog', () => {
  const act = { id: 'act', server: 'one' } as Act

  it('keeps nothing while unwatched, at the level "off", or of code that works for no act', () => {
    const turns: boolean[] = []
    const log = new WireLog({ levelOf: () => 'off' })
    log.onTurn((isOpen) => turns.push(isOpen))
    assert.equal(log.isOpen, false)
    const [stop, another] = [log.watch(), log.watch()]
    assert.equal(log.current, undefined)
    log.doing(act, {}, () => {
      assert.deepEqual(log.current, { act: 'act', server: 'one', level: 'off' })
      const passed = { hop: 'server', direction: 'sent', connection: 's1' } as const
      if (log.current) log.message(log.current, passed, { jsonrpc: '2.0', method: 'ping' })
    })
    assert.deepEqual(log.items, [])
    stop()
    stop()
    assert.equal(log.isOpen, true)
    another()
    assert.deepEqual(turns, [true, false])
  })
})

test('Openings: a repeated request replaces the earlier answer; one that is too large is left out whole', () => {
  const openings = new Openings()
  const ask = (id: number, answer: unknown) => {
    openings.sent({ jsonrpc: '2.0', id, method: 'tools/list' })
    openings.received({ jsonrpc: '2.0', id, result: { tools: answer } as never })
  }
  ask(1, ['old'])
  ask(2, ['new'])
  assert.equal(openings.messages.length, 2)
  assert.match(JSON.stringify(openings.messages), /new/)
  ask(3, ['z'.repeat(maxOpeningLength)])
  assert.deepEqual(openings.messages, [])
  assert.equal(openings.isWaiting, false)
})

test('wireSpans: requests until their answers, told apart as rounds, retries and questions', () => {
  const answer = { method: undefined, direction: 'received' } as const
  const spans = wireSpans([
    item({ hop: 'caller', direction: 'received', connection: 'c1', id: 7 }),
    item({ id: 1 }),
    item({ ...answer, id: 1, isError: true }),
    item({ id: 2 }),
    item({ direction: 'received', method: 'elicitation/create', id: 1 }),
    item({ direction: 'sent', method: undefined, id: 1 }),
    item({ id: 3, isLaterRound: true }),
    item({ ...answer, id: 3 }),
  ])
  assert.deepEqual(
    spans.map(({ kind, isError, from, to }) => [kind, isError, to === undefined ? undefined : to > from]),
    [
      ['round', false, undefined],
      ['request', true, true],
      ['retry', false, undefined],
      ['question', false, true],
      ['request', false, true],
    ],
  )
})

describe('requests under way while watched: the oldest of more than a thousand makes room', () => {
  const act = { id: 'act', server: 'one' } as Act
  const numbers = Array.from({ length: 1_001 }, (_, at) => at)
  const receiver = { message() {}, malformed() {}, failed() {}, async ended() {}, closed() {} }

  /** A watched log, and the messages among those that pass that it keeps. */
  function looking() {
    const log = new WireLog({ levelOf: () => 'full' })
    log.watch()
    const keptOf = async (pass: () => void): Promise<readonly unknown[]> => {
      const { number: before } = log.items.at(-1) ?? assert.fail()
      pass()
      await new Promise(setImmediate)
      const later = log.items.filter((one) => one.number > before && one.kind === 'message')
      return later.map((one) => JSON.parse((one as WireMessage).text) as Fields).map(({ id, params }) => id ?? params)
    }
    return { log, keptOf }
  }

  it('on a connection with a server: requests, progress and questions', async () => {
    const { log, keptOf } = looking()
    const [near, far] = memoryPair()
    const tapped = tapServer(near, log, new Openings())
    tapped.open(receiver)
    far.open(receiver)
    log.doing(act, {}, () => {
      const params = (progressToken: number) => ({ _meta: { progressToken } })
      for (const id of numbers) tapped.send({ jsonrpc: '2.0', id, method: 'tools/call', params: params(id) })
    })
    const progress = (progressToken: number) => ({ progressToken, progress: 1 })
    const method = 'notifications/progress'
    const told = await keptOf(() => {
      for (const token of [0, 1]) far.send({ jsonrpc: '2.0', method, params: progress(token) })
    })
    assert.deepEqual(told, [progress(1)])
    await keptOf(() => {
      for (const at of numbers) far.send({ jsonrpc: '2.0', id: `q${at}`, method: 'ping' })
    })
    const answered = await keptOf(() => {
      for (const id of ['q0', 'q1']) tapped.send({ jsonrpc: '2.0', id, result: {} })
    })
    assert.deepEqual(answered, ['q1'])
    const ended = await keptOf(() => {
      for (const id of [0, 1]) far.send({ jsonrpc: '2.0', id, result: {} })
    })
    assert.deepEqual(ended, [1])
  })

  it('on a connection with a caller: requests and questions', async () => {
    const { log, keptOf } = looking()
    const [near, far] = memoryPair()
    let tapped = near
    const front = { serve: (channel: typeof near) => (tapped = channel) } as unknown as Parameters<typeof tapFront>[0]
    tapFront(front, log, new CallerHttp()).serve(near)
    tapped.open({ ...receiver, message: () => log.doing(act, {}, () => {}) })
    far.open(receiver)
    for (const id of numbers) far.send({ jsonrpc: '2.0', id, method: 'tools/call' })
    await new Promise(setImmediate)
    for (const at of numbers) tapped.send({ jsonrpc: '2.0', id: `q${at}`, method: 'ping' }, { relatedTo: 1_000 })
    const answered = await keptOf(() => {
      for (const id of ['q0', 'q1']) far.send({ jsonrpc: '2.0', id, result: {} })
    })
    assert.deepEqual(answered, ['q1'])
    const ended = await keptOf(() => {
      for (const id of [0, 1]) tapped.send({ jsonrpc: '2.0', id, result: {} })
    })
    assert.deepEqual(ended, [1])
  })
})
