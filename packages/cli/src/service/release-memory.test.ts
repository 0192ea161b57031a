import assert from 'node:assert/strict'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '../../../../tools/lib/until.ts'
import { releaseWhenIdle } from './release-memory.ts'

/** Long enough that the looking of a test is no load. */
const everyMs = 200

/** Counts collections of the whole heap, which V8 does not make in a process that allocates nothing. */
function countCollections(): Disposable & { count: number } {
  const { NODE_PERFORMANCE_GC_MAJOR: major } = constants
  const isMajor = (entry: object) => 'detail' in entry && (entry.detail as { readonly kind: number }).kind === major
  const observer = new PerformanceObserver((list) => {
    seen.count += list.getEntries().filter(isMajor).length
  })
  const seen = { count: 0, [Symbol.dispose]: () => observer.disconnect() }
  observer.observe({ entryTypes: ['gc'] })
  return seen
}

test('releaseWhenIdle: an idle process that grew is collected, and not again until it grows', async () => {
  using _releasing = releaseWhenIdle({ everyMs, minGrownBytes: 32 * 1024 ** 2 })
  const grown = Buffer.alloc(64 * 1024 ** 2, 1)
  using collections = countCollections()
  await until(() => collections.count > 0, 'a collection')
  let looks = 0
  using _looking = setInterval(() => (looks += 1), everyMs)
  await until(() => looks === 3, 'the end of the collection')
  const { count } = collections
  await until(() => looks > 8, 'five more looks')
  assert.equal(collections.count, count)
  assert.equal(grown.at(-1), 1)
})

test('releaseWhenIdle: a busy process is not collected', async () => {
  using collections = countCollections()
  using _releasing = releaseWhenIdle({ everyMs, minGrownBytes: Number.NEGATIVE_INFINITY })
  let looks = 0
  using _looking = setInterval(() => (looks += 1), everyMs)
  while (looks < 5) {
    for (const start = performance.now(); performance.now() - start < 5; );
    await turn()
  }
  assert.equal(collections.count, 0)
  await until(() => collections.count > 0, 'a collection once it is idle')
})
