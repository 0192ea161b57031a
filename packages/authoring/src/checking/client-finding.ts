import type { Tool } from '@trunkline/mcp/client'

/** Severity: the client refuses something, changes it, or there is something to know. */
export type ClientFindingLevel = 'refused' | 'cut' | 'note'

/** Something that a client will do with a server, and what its author can do about it. */
export interface ClientFinding {
  readonly level: ClientFindingLevel
  /** Subject of the finding. */
  readonly about: 'name' | 'schema' | 'tools' | 'annotations' | 'tokens' | 'start'
  readonly tool?: string
  readonly problem: string
  readonly fix: string
  /** Page that documents this behaviour of the client. */
  readonly source?: string
}

/** Facts about a server that is checked. */
export interface CheckedServer {
  /** Its name in the configuration of clients. */
  readonly name: string
  readonly tools: readonly Tool[]
  /** Milliseconds from the start to the first list of tools. */
  readonly startMs: number
  /** About how many tokens its tools take in each conversation. */
  readonly tokens: number
}
