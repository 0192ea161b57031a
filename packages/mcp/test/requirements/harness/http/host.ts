import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Server, ServerTypes } from '../../../../src/index.ts'
import type { Board } from '../../../fixtures/board.ts'

/** A fixture that listens on the loopback. */
export interface Host {
  readonly url: string
  /** Resolves when no request is served and nothing is remembered; rejects when something stays. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** One POST that arrived. */
export interface Posted {
  /** Resolves when it is answered or its sender is gone. */
  readonly whenOver: Promise<unknown>
}

/** A host that tells what has arrived. */
export interface PostedHost extends Host {
  /** The next POST, when the server has read all of it. */
  posted(): Promise<Posted>
  /** Resolves when clients have been sent all that there is for them, where that takes several processes. */
  toldAll?(): Promise<void>
}

/** The server that a fixture defines; processes that serve it together share a board. */
export async function definitionOf(fixture: string, board?: Board): Promise<Server<ServerTypes>> {
  const { create } = (await import(`../../../fixtures/${fixture}.ts`)) as { create(board?: Board): Server<ServerTypes> }
  return create(board)
}

/** Far more than it takes both ends of a connection to learn that it is over, as both are in this process. */
const mostTurns = 10_000

/** Resolves when all counts are zero; rejects when they stay otherwise. */
export async function zero(counted: () => { readonly [what: string]: number }): Promise<void> {
  const left = () => Object.entries(counted()).filter(([, count]) => count > 0)
  for (let turns = 0; left().length > 0 && turns < mostTurns; turns++) await turn()
  assert.deepEqual(left(), [])
}
