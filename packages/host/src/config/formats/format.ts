import type { FormatId } from '../../clients/client.ts'
import type { Document, Path, Table, Value } from '../document/document.ts'
import type { ConfigProblem } from '../problem.ts'
import type { ServerEntry } from '../schema/server-entry.ts'

/** Where something was found. */
export interface FoundPlace {
  readonly file: string
  readonly line: number
}

/** A server in the configuration of a client, in our words. */
export interface FoundServer {
  /** As it is called there. */
  readonly name: string
  readonly entry: ServerEntry
  readonly place: FoundPlace
  /** The only project in which it counts, when the file says so. */
  readonly project?: string
}

/** A decision that somebody took in a client about the tools of a server. */
export interface FoundRule {
  readonly effect: 'allow' | 'ask' | 'deny'
  /** As the server is called there, or `*`. */
  readonly server: string
  /** The name of a tool; `*` stands for any characters. */
  readonly tool: string
  readonly place: FoundPlace
}

/** A value that a client asks for. */
export interface FoundInput {
  readonly id: string
  readonly description: string
  readonly password: boolean
  /** What is proposed. */
  readonly default?: string
  /** What can be chosen, where it is not typed. */
  readonly options?: readonly Value[]
  readonly place: FoundPlace
}

/** All that was understood of a file, and what was not. */
export interface Reading {
  readonly servers: readonly FoundServer[]
  readonly rules: readonly FoundRule[]
  readonly inputs: readonly FoundInput[]
  /** Servers, by their names there, that were turned off. */
  readonly off: readonly { readonly server: string; readonly project?: string }[]
  /** What means something there and nothing here, each with the line. */
  readonly left: readonly ConfigProblem[]
}

/** How one kind of file is read. */
export interface ClientFormat {
  readonly id: FormatId | 'registry'
  readonly syntax: 'json' | 'toml'
  read(document: Document): Reading
}

/** How a server is written into one kind of file. */
export interface WritableFormat extends ClientFormat {
  /** The keys that lead to the entry of a server. */
  entryPath(document: Document, name: string): Path
  /** An entry as the client reads it; undefined for what it cannot hold. */
  write(entry: ServerEntry): Table | undefined
}

/** Readings as one; without any, one of nothing. */
export function together(...readings: readonly Partial<Reading>[]): Reading {
  return {
    servers: readings.flatMap(({ servers = [] }) => servers),
    rules: readings.flatMap(({ rules = [] }) => rules),
    inputs: readings.flatMap(({ inputs = [] }) => inputs),
    off: readings.flatMap(({ off = [] }) => off),
    left: readings.flatMap(({ left = [] }) => left),
  }
}
