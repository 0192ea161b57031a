import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'

/** Usability of an offer: usable, or the obstacle. */
export type Standing = 'usable' | 'new' | 'changed' | 'hidden' | 'set aside'

/** One thing a server offers, as callers find it. */
export interface Entry {
  readonly kind: 'tool' | 'prompt' | 'template' | 'instructions' | 'skill'
  /** The name in the aggregate. */
  readonly name: string
  /** The key of its server inside the host. */
  readonly server: ServerKey
  /** The server's own name for it. */
  readonly original: string
  /** The name at an address of the server alone: its own, unless the person renamed it. */
  readonly shown: string
  /** The definition the person accepted; while it is new, the one that is offered. */
  readonly definition: Fields
  readonly hash: string
  readonly class: ToolClass
  readonly standing: Standing
  /** Reason why it is not usable, for a person. */
  readonly why?: string
}
