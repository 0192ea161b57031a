import type { Fetch } from '../../../../src/transports/http/client/http-channel-options.ts'
import type { Revision } from '../../requirement.ts'
import type { Wire } from '../place.ts'

/** A wire that its user has to close. */
export interface OpenWire extends Wire {
  close(): Promise<void>
}

export interface WireOptions {
  readonly revision: Revision
  readonly principal?: string | undefined
  readonly fetch?: Fetch | undefined
}
