import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Server, ServerTypes } from '../../../../src/index.ts'

/** A fixture that listens on the loopback. */
export interface Host {
  readonly url: string
  /** Resolves when no request is served and nothing is remembered; rejects when something stays. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The server that a fixture defines. */
export async function definitionOf(fixture: string): Promise<Server<ServerTypes>> {
  const { create } = (await import(`../../../fixtures/${fixture}.ts`)) as { create(): Server<ServerTypes> }
  return create()
}

/** Far more than it takes both ends of a connection to learn that it is over, as both are in this process. */
const mostTurns = 10_000

/** Resolves when all counts are zero; rejects when they stay otherwise. */
export async function zero(counted: () => { readonly [what: string]: number }): Promise<void> {
  const left = () => Object.entries(counted()).filter(([, count]) => count > 0)
  for (let turns = 0; left().length > 0 && turns < mostTurns; turns++) await turn()
  assert.deepEqual(left(), [])
}
