import assert from 'node:assert/strict'
import { until } from '../../../../tools/lib/until.ts'
import type { ProofIds } from '../../src/stores/cluster.ts'
import type { On } from './stores-contract.ts'

/** Promises of every store of proof ids. */
export function proofIdsContract(on: On<ProofIds>): void {
  on('one of many uses of an id counts, and ids are not confused', async (proofs) => {
    const used = await Promise.all(Array.from({ length: 5 }, () => proofs.use('one', 60_000)))
    assert.equal(used.filter((isFirst) => isFirst).length, 1)
    for (const id of ['', 'ONE', 'one\u0000', '\ud800', '\ud801', '__proto__', 'x'.repeat(10_000)]) {
      assert.equal(await proofs.use(id, 60_000), true, id)
      assert.equal(await proofs.use(id, 60_000), false, id)
    }
  })

  on('an id can be used again when its time is over', async (proofs) => {
    assert.equal(await proofs.use('short', 1), true)
    await until(async () => proofs.use('short', 1), 'the time of the id to be over')
  })
}
