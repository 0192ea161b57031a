import type { Fields } from '@trunkline/mcp'
import { contractKey } from '../../servers/contract-key.ts'

/** The method of the contract that sends a signal to a running call. */
export const signalMethod = `${contractKey}/signal`

/** The contract as callers and servers are told of it: the host keeps it on both sides. */
export const keptContract = { id: contractKey, handshake: true, methods: { [signalMethod]: {} } } as const

const none: readonly string[] = []

/** The signals that a definition declares; none for nearly every tool. */
export function signalsOf(definition: Fields | undefined): readonly string[] {
  const terms = (definition?._meta as Fields | undefined)?.[contractKey] as Fields | undefined
  const signals = terms?.signals
  return typeof signals === 'object' && signals !== null ? Object.keys(signals) : none
}
