import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { ledgerTables } from '../store/tables/ledger-tables.ts'
import { type Anchored, checkAnchors, readAnchors } from './anchor.ts'
import { Ledger } from './ledger.ts'
import type { SignedTip } from './signed-tip.ts'

async function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [ledgerTables] })
  const ledger = new Ledger(store)
  const anchored = async (): Promise<Anchored> => {
    const { publicKey, first, number: last } = await ledger.signedTip()
    const hashOf = (number: number) => [...ledger.lines(number - 1, number)][0]?.hash
    return { publicKey, first, last, hashOf }
  }
  return {
    ledger,
    anchored,
    /** Adds a line and anchors it. */
    async anchor(): Promise<SignedTip> {
      await ledger.append({ kind: 'ended' })
      return ledger.signedTip()
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('checkAnchors', () => {
  it('counts anchors that match, and anchors whose lines were removed for their age', async () => {
    await using host = await opened()
    const anchors = [await host.anchor()]
    await host.ledger.prune(Date.now() + 1_000)
    anchors.push(await host.anchor(), await host.anchor())
    const checked = await checkAnchors(anchors, await host.anchored())
    assert.deepEqual(checked, { matching: 2, pruned: 1, broken: undefined })
  })

  it('fails where no anchor can be compared', async () => {
    await using host = await opened()
    const anchors = [await host.anchor()]
    await host.ledger.prune(Date.now() + 1_000)
    await host.anchor()
    assert.match((await checkAnchors(anchors, await host.anchored())).broken ?? '', /no anchor is about a line/)
    assert.match((await checkAnchors([], await host.anchored())).broken ?? '', /no anchor is about a line/)
  })

  it('fails for a ledger that is cut before an anchor, has another line there, or another key', async () => {
    await using host = await opened()
    const anchors = [await host.anchor(), await host.anchor()]
    const ledger = await host.anchored()
    const broken = async (change: Partial<Anchored>) =>
      (await checkAnchors(anchors, { ...ledger, ...change })).broken ?? ''
    assert.match(await broken({ last: 1 }), /line 2 was anchored, and the ledger ends with line 1/)
    assert.match(await broken({ hashOf: () => 'another' }), /line 1 or one before it is not the one that was anchored/)
    assert.match(await broken({ publicKey: 'AAAA' }), /was signed by the key SHA256:/)
  })

  it('fails for an anchor that was altered', async () => {
    await using host = await opened()
    const { number, ...rest } = await host.anchor()
    await host.anchor()
    const altered = { ...rest, number: number + 1 }
    assert.match(
      (await checkAnchors([altered], await host.anchored())).broken ?? '',
      /the anchor of line 2 was altered/,
    )
  })
})

describe('readAnchors', () => {
  it('reads one anchor in each line, and names a line that is none', async () => {
    await using host = await opened()
    const anchor = await host.anchor()
    const text = `${JSON.stringify(anchor)}\n\n${JSON.stringify(anchor)}\n`
    assert.deepEqual(readAnchors(text), [anchor, anchor])
    for (const stray of ['no JSON', '{}', 'null', JSON.stringify({ ...anchor, hash: 1 })])
      assert.throws(() => readAnchors(`${text}${stray}`), /Cannot read line 4: it is no anchor/, stray)
  })
})
