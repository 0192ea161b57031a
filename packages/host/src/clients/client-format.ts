import type { Document, Path, Table, Value } from '../config/document/document.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { FormatId } from './client.ts'

/** Place where something was found. */
export interface FoundPlace {
  readonly file: string
  readonly line: number
}

/** A server in the configuration of a client, in our words. */
export interface FoundServer {
  /** Its name there. */
  readonly name: string
  readonly entry: ServerEntry
  readonly place: FoundPlace
  /** The only project in which it counts, when the file says so. */
  readonly project?: string
}

/** A decision that a person took in a client about the tools of a server. */
export interface FoundRule {
  readonly effect: 'allow' | 'ask' | 'deny'
  /** Name of the server there, or `*`. */
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
  /** The proposed value. */
  readonly default?: string
  /** Values to choose from, if it is not typed. */
  readonly options?: readonly Value[]
  readonly place: FoundPlace
}

/** Everything understood of a file, and the rest. */
export interface Reading {
  readonly servers: readonly FoundServer[]
  readonly rules: readonly FoundRule[]
  readonly inputs: readonly FoundInput[]
  /** Servers, by their names there, that were turned off. */
  readonly off: readonly { readonly server: string; readonly project?: string }[]
  /** Settings that Trunkline does not support, with their lines. */
  readonly left: readonly ConfigProblem[]
}

/** Reader of one kind of file. */
export interface ClientFormat {
  readonly id: FormatId | 'registry'
  readonly syntax: 'json' | 'toml'
  read(document: Document): Reading
}

/** Reader and writer of one kind of file. */
export interface WritableFormat extends ClientFormat {
  /** The keys that lead to the entry of a server. */
  entryPath(document: Document, name: string): Path
  /** An entry as the client reads it; undefined if the format cannot hold it. */
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
