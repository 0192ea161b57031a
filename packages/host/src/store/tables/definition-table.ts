import type { StatementSync } from 'node:sqlite'
import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../../act/act.ts'
import type { ServerKey } from '../../act/server-key.ts'
import type { Store } from '../store.ts'

/** Kind of a definition. */
export type DefinitionKind = 'tool' | 'prompt' | 'template' | 'instructions' | 'skill'

/** A definition as it stands in the store. */
export interface StoredDefinition {
  readonly kind: DefinitionKind
  readonly original: string
  /** The accepted definition; missing while it is new. */
  readonly accepted: Fields | undefined
  readonly acceptedHash: string | undefined
  /** The class that the person chose. */
  readonly class: ToolClass | undefined
  /** The current definition of the server; missing when it is no longer offered. */
  readonly offered: Fields | undefined
  readonly offeredHash: string | undefined
  readonly isHidden: boolean
}

type Key = readonly [server: ServerKey, kind: DefinitionKind, original: string]

/** Every definition of every server. */
export class DefinitionTable {
  readonly #all: StatementSync
  readonly #offer: StatementSync
  readonly #withdraw: StatementSync
  readonly #accept: StatementSync
  readonly #classify: StatementSync
  readonly #hide: StatementSync
  readonly #remove: StatementSync
  readonly #copy: StatementSync

  constructor({ database }: Store) {
    this.#all = database.prepare('SELECT * FROM catalogue_definition WHERE server = ? ORDER BY rowid')
    this.#offer = database.prepare(
      `INSERT INTO catalogue_definition (server, kind, original, offered, offered_hash) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET offered = excluded.offered, offered_hash = excluded.offered_hash`,
    )
    const key = 'server = ? AND kind = ? AND original = ?'
    this.#withdraw = database.prepare(
      `UPDATE catalogue_definition SET offered = NULL, offered_hash = NULL WHERE ${key}`,
    )
    this.#accept = database.prepare(
      `UPDATE catalogue_definition SET accepted = offered, accepted_hash = offered_hash, class = ?
       WHERE ${key} AND offered IS NOT NULL`,
    )
    this.#classify = database.prepare(`UPDATE catalogue_definition SET class = ? WHERE ${key}`)
    this.#hide = database.prepare(`UPDATE catalogue_definition SET hidden = ? WHERE ${key}`)
    this.#remove = database.prepare('DELETE FROM catalogue_definition WHERE server = ?')
    const columns = 'kind, original, accepted, accepted_hash, class, offered, offered_hash, hidden'
    this.#copy = database.prepare(
      `INSERT OR REPLACE INTO catalogue_definition (server, ${columns})
       SELECT ?, ${columns} FROM catalogue_definition WHERE server = ?`,
    )
  }

  of(server: ServerKey): readonly StoredDefinition[] {
    return this.#all.all(server).map((row) => ({
      kind: String(row.kind) as DefinitionKind,
      original: String(row.original),
      accepted: parsed(row.accepted),
      acceptedHash: textOf(row.accepted_hash),
      class: textOf(row.class) as ToolClass | undefined,
      offered: parsed(row.offered),
      offeredHash: textOf(row.offered_hash),
      isHidden: row.hidden === 1,
    }))
  }

  offer(key: Key, definition: Fields, hash: string): void {
    this.#offer.run(...key, JSON.stringify(definition), hash)
  }

  withdraw(key: Key): void {
    this.#withdraw.run(...key)
  }

  /** Accepts the offered definition, and keeps its class. */
  accept(key: Key, decided: ToolClass): void {
    this.#accept.run(decided, ...key)
  }

  classify(key: Key, decided: ToolClass): void {
    this.#classify.run(decided, ...key)
  }

  hide(key: Key, isHidden: boolean): void {
    this.#hide.run(isHidden ? 1 : 0, ...key)
  }

  /** Copies all definitions of another server. */
  copy(server: ServerKey, from: ServerKey): void {
    this.#copy.run(server, from)
  }

  removeServer(server: ServerKey): void {
    this.#remove.run(server)
  }
}

function parsed(text: unknown): Fields | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Fields) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
