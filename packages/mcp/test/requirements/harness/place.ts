import type { Channel } from '../../../src/index.ts'
import type { Fetch } from '../../../src/transports/http/client/http-channel-options.ts'
import type { Scene } from '../../fixtures/puppet.ts'
import type { Revision } from '../requirement.ts'

/** Somewhere a server runs and is talked to. */
export interface Place {
  /** The way to the server of a fixture. */
  reach(fixture: string, options: ReachOptions): Promise<Reached>
  /** The way to a scripted server. */
  stage(scene: Scene): Promise<Channel>
  /** Lets no further test use what a failed one may have spoilt. */
  distrust(): void
  /** Resolves when nothing is left of any server; rejects when something is. */
  close(): Promise<void>
}

export interface ReachOptions {
  readonly revision: Revision
  /** True if no client may have talked to the server before. @default false */
  readonly fresh?: boolean
  /** Caller that the transport names, where it can. @default none */
  readonly principal?: string | undefined
  /** Carrier of a client's requests over HTTP. @default the `fetch` of the platform */
  readonly fetch?: Fetch | undefined
}

/** A server within reach, to be talked to either way. */
export interface Reached {
  channel(): Channel
  wire(): Wire
  /** Resolves when this talk is over and nothing is remembered of it; rejects when something is. */
  finish(): Promise<void>
}

/** Text that goes to and fro, one message each. */
export interface Wire {
  send(text: string): void
  listen(listener: (text: string) => void): void
  /** Resolves when the server has sent all that there is for this end, where that takes several processes. */
  toldAll?(): Promise<void>
}
