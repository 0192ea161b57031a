import assert from 'node:assert/strict'
import { facts } from './presence-contract.ts'
import type { On, Shared } from './stores-contract.ts'

/** Promises of every inbox. */
export function inboxContract(on: On<Shared>): void {
  on('an entry reaches the processes that live, and its sender learns which these are', async ({ presence, inbox }) => {
    await liveOnes({ presence }, 'a', 'b')
    await presence.beat(facts('late'), 0)
    assert.deepEqual((await inbox.post(['b', 'late', 'gone', 'a'], 'é\u2028"')).toSorted(), ['a', 'b'])
    assert.deepEqual(await inbox.post([], 'nobody'), [])
    for (const epoch of ['a', 'b'])
      assert.deepEqual(
        (await inbox.take(epoch, 0)).map(({ data }) => data),
        ['é\u2028"'],
      )
    assert.deepEqual(await inbox.take('gone', 0), [])
  })

  on('entries are taken in order after a number, and those up to it are gone', async ({ presence, inbox }) => {
    await liveOnes({ presence }, 'a')
    for (const data of ['1', '2', '3']) await inbox.post(['a'], data)
    const all = await inbox.take('a', 0)
    assert.deepEqual(await inbox.take('a', 0), all)
    const [first, second, third] = all
    assert.ok(first && second && third)
    assert.deepEqual([second.number - first.number, third.number - second.number], [1, 1])
    assert.deepEqual(await inbox.take('a', second.number), [third])
    assert.deepEqual(await inbox.take('a', 0), [third])
    assert.deepEqual(await inbox.take('a', third.number), [])
    await inbox.post(['a'], '4')
    assert.deepEqual(await inbox.take('a', third.number), [{ number: third.number + 1, data: '4' }])
  })

  on(
    'an inbox that has lost entries that were taken gives those that came since (rule 2)',
    async ({ presence, inbox }) => {
      await liveOnes({ presence }, 'a')
      await inbox.post(['a'], 'new')
      const [entry] = await inbox.take('a', 0)
      assert.ok(entry)
      assert.deepEqual(await inbox.take('a', entry.number + 3), [entry])
      assert.deepEqual(await inbox.take('a', entry.number), [])
    },
  )

  on('entries that come at the same time from all sides get numbers without a gap', async ({ presence, inbox }) => {
    await liveOnes({ presence }, 'a', 'b')
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
    ]
    const posts = Array.from({ length: 20 }, (_, at) => inbox.post(orders[at % 2] ?? [], `${at}`))
    for (const got of await Promise.all(posts)) assert.deepEqual(got.toSorted(), ['a', 'b'])
    for (const epoch of ['a', 'b']) {
      const taken = await inbox.take(epoch, 0)
      const start = taken[0]?.number ?? 0
      assert.deepEqual(
        taken.map(({ number }) => number - start),
        Array.from({ length: 20 }, (_, at) => at),
      )
      assert.equal(new Set(taken.map(({ data }) => data)).size, 20)
    }
  })

  on('at most a thousand entries are taken at once', async ({ presence, inbox }) => {
    await liveOnes({ presence }, 'a')
    await Promise.all(Array.from({ length: 1_001 }, (_, at) => inbox.post(['a'], `${at}`)))
    const taken = await inbox.take('a', 0)
    assert.equal(taken.length, 1_000)
    assert.equal((await inbox.take('a', taken.at(-1)?.number ?? 0)).length, 1)
  })
}

/** Lets processes live. */
export async function liveOnes({ presence }: Pick<Shared, 'presence'>, ...epochs: readonly string[]): Promise<void> {
  for (const epoch of epochs) await presence.beat(facts(epoch), 60_000)
}
