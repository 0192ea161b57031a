import assert from 'node:assert/strict'
import type { Bell } from '../../src/stores/cluster.ts'
import { liveOnes } from './inbox-contract.ts'
import type { On, Shared } from './stores-contract.ts'

/** Promises of every bell whose rings are not lost. */
export function bellContract(on: On<Shared>): void {
  on('listeners hear the names that are rung, until they end that', async ({ bell }) => {
    const one = await listen(bell)
    const other = await listen(bell)
    const names = ['a', 'é\u0000"', '']
    await bell.ring(names)
    await bell.ring([])
    assert.deepEqual(await one.next(3), names)
    assert.deepEqual(await other.next(3), names)
    one.end()
    await bell.ring(['b'])
    assert.deepEqual(await other.next(4), [...names, 'b'])
    assert.deepEqual(await one.next(3), names)
    other.end()
  })

  on('more than a hundred names are rung as one without a name', async ({ bell }) => {
    const heard = await listen(bell)
    await bell.ring(Array.from({ length: 101 }, (_, at) => `${at}`))
    await bell.ring(['after'])
    assert.deepEqual(await heard.next(2), [undefined, 'after'])
    heard.end()
  })

  on('an entry rings the processes that got it', async ({ presence, inbox, bell }) => {
    await liveOnes({ presence }, 'a', 'b')
    const heard = await listen(bell)
    await inbox.post(['a', 'gone'], 'entry')
    await inbox.post(['b'], 'entry')
    assert.deepEqual(await heard.next(2), ['a', 'b'])
    heard.end()
  })
}

/** Listens, and waits for a number of rings. */
async function listen(bell: Bell) {
  const heard: (string | undefined)[] = []
  let onHeard = (): void => {}
  const end = await bell.listen((name) => {
    heard.push(name)
    onHeard()
  })
  return {
    end,
    async next(count: number): Promise<readonly (string | undefined)[]> {
      while (heard.length < count) await new Promise<void>((resolve) => (onHeard = resolve))
      return heard
    },
  }
}
