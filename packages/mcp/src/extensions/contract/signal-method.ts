import type { ExtensionMethod } from '../../model/extension.ts'
import { object, string } from '../../wire/shape.ts'
import { contractId } from './terms.ts'

/** The method that sends a signal to a running call. */
export const signalMethod = `${contractId}/signal`

/** Its params: the handle of the call or the id of its task, and the name of the signal. */
export interface SignalParams {
  readonly to: string
  readonly signal: string
}

/** The methods of the contract. */
export const contractMethods: { readonly [method: string]: ExtensionMethod } = {
  [signalMethod]: { params: object({ to: string, signal: string }) },
}
