import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mailbox } from '../../../../test/mailbox.ts'
import { turnsUntil } from '../../../../test/soon.ts'
import { ClusterMember } from '../../../cluster/member.ts'
import type { Change } from '../../../model/types.ts'
import { memoryCluster } from '../../../stores/memory-cluster.ts'
import type { Message } from '../../../wire/messages.ts'
import { jsonHeaders, streamHeaders } from '../headers.ts'
import type { HttpReply } from '../server/request-reply.ts'
import { Outbox, outboxGrew } from './outbox.ts'

const said = (word: string): Message => ({ jsonrpc: '2.0', method: 'said', params: { word } })

async function process(stores = memoryCluster(), hear: (change: Change) => void = () => {}) {
  const member = new ClusterMember(stores, {
    server: 'weather',
    sealingKeys: async () => ['key'],
    report: (error) => assert.fail(String(error)),
  })
  await member.start()
  const outbox = new Outbox({
    id: 'session',
    alias: 'alias',
    member,
    beganAt: member.changes.place,
    retryMs: 1,
    primes: () => false,
    headers: () => ({ json: jsonHeaders, stream: streamHeaders }),
    hear,
    hearAll: () => assert.fail('nothing was lost'),
  })
  member.on(outboxGrew, () => outbox.grew())
  return { member, outbox }
}

function stream() {
  const words = new Mailbox<string>()
  let leave = (): void => {}
  const reply: HttpReply = {
    whole: (status) => assert.fail(`refused with ${status}`),
    stream: () => ({
      write(text) {
        words.put(/"word":"(\w+)"/.exec(text)?.[1] ?? text)
        return undefined
      },
      full: undefined,
      end() {},
    }),
    onGone(listener) {
      leave = listener
    },
    onLeft() {},
  }
  return { reply, words, leave: () => leave() }
}

test('Outbox: a message of one process is sent by the one with the stream, and kept while there is none', async () => {
  const stores = memoryCluster()
  const [one, other] = [await process(stores), await process(stores)]
  await one.outbox.tell(said('early'))
  const first = stream()
  assert.equal(await other.outbox.listen(first.reply), true)
  await one.outbox.tell(said('later'))
  assert.deepEqual([await first.words.take(), await first.words.take()], ['early', 'later'])
  first.leave()
  await one.outbox.tell(said('between'))
  const second = stream()
  assert.equal(await one.outbox.listen(second.reply), true)
  assert.equal(await second.words.take(), 'between')
  assert.equal(second.words.size, 0)
  second.leave()
  for (const { member } of [one, other]) await member.leave()
})

test('Outbox: a stream goes on where the process of a later one is gone', async () => {
  const stores = memoryCluster()
  const [one, other] = [await process(stores), await process(stores)]
  const [first, second] = [stream(), stream()]
  await one.outbox.listen(first.reply)
  await other.outbox.listen(second.reply)
  await other.member.leave()
  await one.outbox.tell(said('word'))
  assert.equal(await first.words.take(), 'word')
  first.leave()
  await one.member.leave()
})

test('Outbox: a message is sent once where its process takes over while the client opens another stream there (rule 3)', async () => {
  const stores = memoryCluster()
  const [claimed, goOn] = [new Mailbox<void>(), new Mailbox<void>()]
  let isPaused = false
  const events = new Proxy(stores.events, {
    get(target, method) {
      const member: unknown = Reflect.get(target, method)
      if (typeof member !== 'function') return member
      if (method !== 'appendIf' || !isPaused) return member.bind(target)
      // the first one is done, and its process hears of that late
      return async (...given: unknown[]) => {
        isPaused = false
        const refusal = await member.apply(target, given)
        claimed.put()
        await goOn.take()
        return refusal
      }
    },
  })
  const [one, other] = [await process({ ...stores, events }), await process(stores)]
  const [first, second] = [stream(), stream()]
  await one.outbox.listen(first.reply)
  await other.outbox.listen(stream().reply)
  await other.member.leave()
  const { last = 0 } = (await stores.events.head(one.outbox.key)) ?? {}
  await stores.events.appendNext(one.outbox.key, JSON.stringify({ text: JSON.stringify(said('word')) }))
  isPaused = true
  one.outbox.grew()
  await claimed.take()
  assert.equal(await one.outbox.listen(second.reply, last), true)
  goOn.put()
  await one.outbox.tell(said('next'))
  assert.deepEqual([await second.words.take(), await second.words.take()], ['word', 'next'])
  for (const { leave } of [first, second]) leave()
  await one.member.leave()
})

test('Outbox: a change that was found in the store is not sent again when this process hears of it (rule 3)', async () => {
  const found: number[] = []
  const announce = (number: number, uri: string): void => void outbox.tell(said(uri), { change: number })
  const { outbox, member } = await process(memoryCluster(), (change) => {
    const { kind, number = 0 } = change as Change & { readonly number?: number }
    found.push(number)
    announce(number, kind)
  })
  const { reply, words, leave } = stream()
  member.changes.publish('resource', { kind: 'resource', uri: 'test:a' })
  await turnsUntil(() => member.changes.last === 1, 'the change to be stored')
  await outbox.listen(reply)
  assert.equal(await words.take(), 'resource')
  // the log as this process reads it comes later
  announce(1, 'resource')
  announce(2, 'tools')
  announce(2, 'prompts')
  assert.deepEqual([await words.take(), await words.take()], ['tools', 'prompts'])
  assert.deepEqual(found, [1])
  leave()
  await member.leave()
})
