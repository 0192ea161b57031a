import assert from 'node:assert/strict'
import type { Limiter } from '../../src/stores/limiter.ts'
import type { On } from './stores-contract.ts'

const hour = 3_600_000
const rate = (key: string, burst = 3) => ({ key, intervalMs: hour, burst })

/** Promises of every limiter. */
export function limiterContract(on: On<Limiter>): void {
  on('passes one burst of calls that come at the same time, and says how long the others wait', async (limiter) => {
    const taken = await Promise.all(Array.from({ length: 5 }, () => limiter.take([rate('a')])))
    assert.equal(taken.filter((refusal) => refusal === undefined).length, 3)
    for (const refusal of taken.filter((each) => each !== undefined)) {
      assert.equal(refusal.key, 'a')
      assert.ok(refusal.afterMs > hour - 60_000 && refusal.afterMs <= hour, `${refusal.afterMs}`)
    }
    assert.equal(await limiter.take([rate('b')]), undefined)
  })

  on('counts against all rates or none of them', async (limiter) => {
    assert.equal(await limiter.take([rate('server'), rate('ann', 1)]), undefined)
    assert.equal((await limiter.take([rate('server'), rate('ann', 1)]))?.key, 'ann')
    assert.equal(await limiter.take([rate('server')]), undefined)
    assert.equal(await limiter.take([rate('server')]), undefined)
    assert.equal((await limiter.take([rate('server')]))?.key, 'server')
    assert.equal(await limiter.take([]), undefined)
  })

  on('passes again when the interval is over', async (limiter) => {
    const fast = { key: 'a', intervalMs: 1e-3, burst: 1 }
    for (let call = 0; call < 3; call++) {
      let refusal = await limiter.take([fast])
      while (refusal) refusal = await limiter.take([fast])
    }
  })
}
