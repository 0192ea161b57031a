import type { Tool } from '@trunkline/mcp/client'

/** How bad it is: the client refuses something, changes it, or there is something to know. */
export type ClientFindingLevel = 'refused' | 'cut' | 'note'

/** Something that a client will do with a server, and what its author can do about it. */
export interface ClientFinding {
  readonly level: ClientFindingLevel
  /** What it is about. */
  readonly about: 'name' | 'schema' | 'tools' | 'annotations' | 'tokens' | 'start'
  readonly tool?: string
  readonly problem: string
  readonly fix: string
  /** Where that can be read, for what is known of a client. */
  readonly source?: string
}

/** What is known of a server that is checked. */
export interface CheckedServer {
  /** As clients will have it in their configuration. */
  readonly name: string
  readonly tools: readonly Tool[]
  /** Milliseconds from the start to the first list of tools. */
  readonly startMs: number
  /** About how many tokens its tools take in each conversation. */
  readonly tokens: number
}
