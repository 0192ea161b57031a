import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './until.ts'

test('until: looks until it holds, also where that is a promise', async () => {
  const looks: number[] = []
  await until(() => looks.push(1) > 2)
  await until(async () => looks.push(1) > 4)
  assert.equal(looks.length, 5)
})

test('until: fails after its limit, with the condition or with the words for it', async (context) => {
  const clock = [0, 80_000, 160_000, 0, 160_000].values()
  context.mock.method(performance, 'now', () => clock.next().value)
  await assert.rejects(
    until(() => 1 > 2),
    { message: 'Waited 120 s in vain for () => 1 > 2' },
  )
  await assert.rejects(
    until(() => false, 'rain'),
    { message: 'Waited 120 s in vain for rain' },
  )
})

test('until: looks less often the longer it takes', async () => {
  const looks: number[] = []
  const start = performance.now()
  await until(() => {
    looks.push(performance.now() - start)
    return (looks.at(-1) ?? 0) > 600
  })
  const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0))
  assert.ok((pauses.at(-1) ?? 0) > (looks.at(-2) ?? 0) * 0.09, JSON.stringify(pauses))
})
