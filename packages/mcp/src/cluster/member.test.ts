import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soon, turnsUntil } from '../../test/soon.ts'
import type { ClusterStores } from '../stores/cluster.ts'
import type { StoredEvent } from '../stores/event-store.ts'
import { memoryCluster } from '../stores/memory-cluster.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { ClusterMember, type MemberParts, type ProcessEntry } from './member.ts'

const facts = (given: Partial<MemberParts> & { readonly keyIds?: readonly string[] } = {}): MemberParts => ({
  server: 'weather',
  sealingKeys: async () => given.keyIds ?? ['one'],
  report: (error) => assert.fail(String(error)),
  ...given,
})

async function joined(options: ClusterStores | ClusterOptions, parts = facts()) {
  const member = new ClusterMember(options, parts)
  await member.start()
  return Object.assign(member, { [Symbol.asyncDispose]: () => member.leave() })
}

test('ClusterMember: refuses stores that lack what several processes need, by name', () => {
  const { bell, ...rest } = memoryCluster()
  const lacking = (stores: unknown) => () => new ClusterMember(stores as ClusterStores, facts())
  assert.throws(lacking(rest), /Cannot serve in a cluster: the stores have no "bell"/)
  const oldSessions = { save() {}, load() {}, drop() {} }
  assert.throws(lacking({ ...rest, bell, sessions: oldSessions }), /"sessions" has no method "change"/)
  assert.throws(lacking(Promise.resolve(rest)), /"cluster" must be stores, not a promise/)
  assert.throws(lacking({ stores: { ...rest, bell }, leaseMs: 0 }), /"leaseMs" must be a number/)
})

test('ClusterMember: refuses to join another server, or one with other keys (rule 12)', async () => {
  const stores = memoryCluster()
  const join = (parts: MemberParts) => new ClusterMember(stores, parts).start()
  await using first = await joined(stores, facts({ keyIds: ['one', 'two'] }))
  await assert.rejects(join(facts({ server: 'news' })), /the server "weather" uses these stores; give "news" a prefix/)
  await assert.rejects(join(facts({ keyIds: [] })), /has no "keys"/)
  await assert.rejects(join(facts({ keyIds: ['three', 'one'] })), /another process seals with keys/)
  await assert.rejects(join(facts({ keyIds: ['two'] })), /another process seals with keys/)
  await using promoted = await joined(stores, facts({ keyIds: ['two', 'one'] }))
  assert.ok(first.epoch !== promoted.epoch)
  assert.deepEqual((await stores.presence.beat(probe, 1)).live.map(({ epoch }) => epoch).slice(0, 2), [
    first.epoch,
    promoted.epoch,
  ])
})

const probe = { epoch: 'probe', server: 'weather', sealingKeys: ['one'] }

test('ClusterMember: refuses to join with a clock that is off, and is not ready when it goes wrong (rule 11)', async () => {
  const stores = memoryCluster()
  const { beat } = stores.presence
  let aheadMs = 3_600_000
  stores.presence.beat = async (...given) => {
    const view = await beat.apply(stores.presence, given)
    return { ...view, now: view.now - aheadMs }
  }
  await assert.rejects(new ClusterMember(stores, facts()).start(), /the clock of this process is 3600 s ahead/)
  aheadMs = 0
  await using member = await joined(stores)
  assert.equal(member.trouble, undefined)
  aheadMs = -6_000
  await member.tellAll({ about: 'nothing' })
  assert.match(member.trouble ?? '', /the clock of this process is -6 s ahead/)
})

test('ClusterMember: hears what others tell it, in order, also when no bell rings (rule 1)', async () => {
  const stores = memoryCluster()
  const silent = { ...stores, bell: { ring() {}, listen: () => () => {} } }
  await using one = await joined({ stores, pollMs: 5 })
  await using other = await joined({ stores: silent, pollMs: 5 })
  const heard: unknown[] = []
  const last = new Promise<void>((resolve) =>
    other.on('count', ({ number }: ProcessEntry) => {
      if (heard.push(number) === 3) resolve()
    }),
  )
  for (const number of [1, 2, 3])
    assert.deepEqual(await one.tell([other.epoch], { about: 'count', number }), [other.epoch])
  await soon(last, 'the entries')
  assert.deepEqual(heard, [1, 2, 3])
})

test('ClusterMember: what is rung before a process listens, and while it joins, is looked for (rule 1)', async () => {
  const stores = memoryCluster()
  let stored = 'nothing'
  const store = async (text: string) => {
    stored = text
    await stores.bell.ring(['news'])
  }
  const { events } = stores
  const head = events.head.bind(events)
  // joining begins to read the log of changes with its first look
  events.head = async (name) => {
    events.head = head
    await Promise.resolve()
    await store('late')
    return head(name)
  }
  const member = new ClusterMember({ stores, leaseMs: 600_000 }, facts())
  const seen: string[] = []
  member.onRing('news', () => seen.push(stored))
  await store('early')
  await member.start()
  await turnsUntil(() => seen.includes('late'), 'the ring')
  assert.deepEqual(seen, ['early', 'late'])
  await member.leave()
})

test('ClusterMember: an entry that was handled before the store went away is not handled again after it (rule 1)', async () => {
  const stores = memoryCluster()
  let [keepsEntries, isAway] = [false, false]
  const orAway = <Result>(fails: boolean, step: () => Result): Result => {
    if (fails) throw new Error('away')
    return step()
  }
  const { presence, inbox } = stores
  const view = {
    ...stores,
    presence: {
      // the lease is over for the process, whose beats get no answer, and not for the store
      beat: async (self: typeof probe) => orAway(isAway, () => presence.beat(self, 60_000)),
      isLive: (epoch: string) => presence.isLive(epoch),
      leave: (epoch: string) => presence.leave(epoch),
    },
    inbox: {
      post: (epochs: readonly string[], entry: string) => inbox.post(epochs, entry),
      // what was taken cannot be deleted
      take: async (epoch: string, after: number) => orAway(keepsEntries && after > 0, () => inbox.take(epoch, after)),
    },
  }
  await using member = await joined({ stores: view, leaseMs: 30, pollMs: 5 }, facts({ report: () => {} }))
  await using other = await joined(stores)
  const heard: unknown[] = []
  member.on('count', ({ number }) => void heard.push(number))
  keepsEntries = true
  await other.tell([member.epoch], { about: 'count', number: 1 })
  await turnsUntil(() => heard.length > 0, 'the first entry')
  isAway = true
  await turnsUntil(() => /does not answer/.test(member.trouble ?? ''), 'the lease to end')
  keepsEntries = false
  isAway = false
  await turnsUntil(() => member.trouble === undefined, 'the store to be back')
  await other.tell([member.epoch], { about: 'count', number: 2 })
  await turnsUntil(() => heard.includes(2), 'the second entry')
  assert.deepEqual(heard, [1, 2])
})

test('ClusterMember: a failover that loses an entry gives its number to another, which is heard too (rule 2)', async () => {
  const stores = memoryCluster()
  const { presence, inbox } = stores
  let generation = 'first'
  const kept: StoredEvent[] = []
  const view = {
    ...stores,
    presence: {
      beat: async (...given: Parameters<typeof presence.beat>) => ({ ...(await presence.beat(...given)), generation }),
      isLive: (epoch: string) => presence.isLive(epoch),
      leave: (epoch: string) => presence.leave(epoch),
    },
    inbox: {
      post: (epochs: readonly string[], entry: string) => inbox.post(epochs, entry),
      // of two entries that were taken, the first is there again, and the second is lost: the third has its number
      async take(epoch: string, after: number) {
        if (generation === 'first') kept.push(...(await inbox.take(epoch, after)))
        if (generation === 'first') return kept.filter(({ number }) => number > after)
        const third = await inbox.take(epoch, 2)
        return [...kept.slice(0, 1), ...third.map(({ data }) => ({ number: 2, data }))].filter(
          ({ number }) => number > after,
        )
      },
    },
  }
  await using member = await joined({ stores: view, leaseMs: 600_000 })
  await using other = await joined({ stores, leaseMs: 600_000 })
  const heard: unknown[] = []
  member.on('count', ({ number }) => void heard.push(number))
  for (const number of [1, 2]) {
    await other.tell([member.epoch], { about: 'count', number })
    await member.settled()
  }
  generation = 'second'
  // looks who lives, and so which history the store has
  await member.tellLive({ about: 'nothing' })
  await other.tell([member.epoch], { about: 'count', number: 3 })
  await turnsUntil(() => heard.includes(3), 'the entry with the number of the lost one')
  assert.deepEqual(heard, [1, 2, 3])
})

test('ClusterMember: a process that is not known to live hears of what all are told when it is back, once (rule 8)', async () => {
  const stores = memoryCluster()
  let forgotten = ''
  const isKnown = (epoch: string): boolean => epoch !== forgotten
  const { presence, inbox } = stores
  const view = {
    ...stores,
    presence: {
      async beat(...given: Parameters<typeof presence.beat>) {
        const seen = await presence.beat(...given)
        return { ...seen, live: seen.live.filter(({ epoch }) => isKnown(epoch)) }
      },
      isLive: (epoch: string) => presence.isLive(epoch),
      leave: (epoch: string) => presence.leave(epoch),
    },
    inbox: {
      post: async (epochs: readonly string[], entry: string) => inbox.post(epochs.filter(isKnown), entry),
      take: (epoch: string, after: number) => inbox.take(epoch, after),
    },
  }
  await using member = await joined({ stores, leaseMs: 600_000 })
  await using other = await joined({ stores: view, leaseMs: 600_000 })
  const heard: unknown[] = []
  member.on('count', ({ number }) => void heard.push(number))
  forgotten = member.epoch
  await other.tellAll({ about: 'count', number: 1 })
  await member.settled()
  assert.deepEqual(heard, [])
  forgotten = ''
  // each looks who lives
  await other.tellAll({ about: 'count', number: 2 })
  await other.tellAll({ about: 'count', number: 3 })
  await turnsUntil(() => heard.length >= 3, 'the entries')
  await member.settled()
  assert.deepEqual(heard.toSorted(), [1, 2, 3])
})

test('ClusterMember: a process that was taken for gone hears of what came after (rule 1)', async () => {
  const stores = memoryCluster()
  let failing = false
  const { beat } = stores.presence
  const presence = {
    async beat(...given: Parameters<typeof beat>) {
      if (failing) throw new Error('away')
      return beat.apply(stores.presence, given)
    },
    isLive: (epoch: string) => stores.presence.isLive(epoch),
    leave: (epoch: string) => stores.presence.leave(epoch),
  }
  const reported: string[] = []
  const report = (error: unknown): unknown => reported.push((error as Error).message)
  await using member = await joined({ stores: { ...stores, presence }, leaseMs: 30, pollMs: 5 }, facts({ report }))
  await using other = await joined(stores)
  const heard: unknown[] = []
  let wake = (): void => {}
  member.on('count', ({ number }) => {
    heard.push(number)
    wake()
  })
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const first = next()
  const tellFirst = () => other.tell([member.epoch], { about: 'count', number: 1 })
  // its lease is so short that a busy machine lets it lapse
  await turnsUntil(async () => (await tellFirst()).length > 0, 'the process to be told')
  await soon(first, 'the first entry')
  failing = true
  await turnsUntil(async () => !(await stores.presence.isLive(member.epoch)), 'the lease to end')
  // it counts by a clock of its own, from before the beat was sent
  const notices = () => reported.length > 0 && /does not answer/.test(member.trouble ?? '')
  await turnsUntil(notices, 'the process to notice')
  assert.deepEqual(await other.tell([member.epoch], { about: 'count', number: 2 }), [])
  // its inbox is deleted when another process looks who lives
  await stores.presence.beat(probe, 1)
  failing = false
  const third = next()
  const told = () => other.tell([member.epoch], { about: 'count', number: 3 })
  await turnsUntil(async () => (await told()).length > 0, 'the process to be back')
  await soon(third, 'the third entry')
  assert.deepEqual(heard, [1, 3])
  assert.deepEqual(new Set(reported), new Set(['away']))
})
