import type { ConfigProblem } from '../../config/problem.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import type { LiteralSecret } from '../../config/secrets/find-literals.ts'
import type { ClientId } from '../client.ts'
import type { FoundInput, FoundPlace } from '../client-format.ts'

/** Client that a file belongs to; a file of the registry belongs to none. */
export type OriginClient = ClientId | 'registry'

/** Place where a planned server was found, and its name there. */
export interface Origin extends FoundPlace {
  readonly client: OriginClient
  readonly name: string
}

/** A server that can be taken over. */
export interface PlannedServer {
  /** The name it gets. */
  readonly name: string
  readonly entry: ServerEntry
  /** The project for which alone it is taken over; undefined when it is for all. */
  readonly project: string | undefined
  /** True if it is proposed; servers from files of projects have to be chosen. */
  readonly ticked: boolean
  readonly origins: readonly Origin[]
  /** Secrets that stand in it as they are, and would be kept apart. */
  readonly secrets: readonly LiteralSecret[]
}

/** A decision that can be taken over, for the client in which it was taken. */
export interface PlannedRule {
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly server: string
  readonly rule: { readonly match: string; readonly principal: string }
  readonly project: string | undefined
  readonly place: FoundPlace
}

/** An entry that is not taken over, and why. */
export interface Skipped {
  readonly origin: Origin
  readonly why: string
}

/** Everything that an import would do, for one review. */
export interface ImportPlan {
  readonly servers: readonly PlannedServer[]
  readonly rules: readonly PlannedRule[]
  /** Inputs to ask a person for once. */
  readonly inputs: readonly FoundInput[]
  readonly skipped: readonly Skipped[]
  /** Settings that could not be imported, by file and line. */
  readonly left: readonly ConfigProblem[]
  /** Files that could not be read whole. */
  readonly problems: readonly ConfigProblem[]
}
