import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Driver } from './driver.ts'
import { features } from './features/all.ts'

/** A client and a server of two makes, in one revision. */
export interface Pairing {
  readonly name: string
  readonly revision: string
  /** Side that made the server. */
  readonly server: 'ours' | 'theirs'
  connect(): Promise<Driver>
}

/** Runs every feature the pairing can have, over one connection. */
export function verifyFeatures({ name, revision, server, connect }: Pairing): void {
  suite(`${name}, ${revision}`, () => {
    let driver: Driver
    before(async () => {
      driver = await connect()
    })
    after(() => driver?.[Symbol.asyncDispose]())
    for (const { name, since = '', until = '9', by = server, verify } of features) {
      if (revision >= since && revision <= until && by === server) test(name, () => verify(driver))
    }
    test('the revision is the one that was wanted', () => assert.equal(driver.revision, revision))
  })
}
