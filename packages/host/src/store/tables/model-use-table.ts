import type { StatementSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The table of the use of models, by spender. */
export const modelTables: Migrations = {
  room: 'model',
  steps: [
    `CREATE TABLE model_use (
       id INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       spender TEXT NOT NULL,
       model TEXT NOT NULL,
       input INTEGER NOT NULL,
       output INTEGER NOT NULL,
       cost REAL NOT NULL
     ) STRICT;
     CREATE INDEX model_use_of ON model_use (spender, at);
     CREATE INDEX model_use_at ON model_use (at)`,
  ],
}

/** Sums of the use of models in some time. */
export interface ModelUseSums {
  readonly requests: number
  readonly tokens: number
  readonly cost: number
  /** Time of the oldest use among them; undefined if there is none. */
  readonly oldest: number | undefined
}

/** The uses of models. */
export class ModelUseTable {
  readonly #of: StatementSync
  readonly #all: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #prune: StatementSync

  constructor({ database }: Store) {
    const sums =
      'count(*) AS requests, coalesce(sum(input + output), 0) AS tokens, coalesce(sum(cost), 0) AS cost, min(at) AS oldest'
    this.#of = database.prepare(`SELECT ${sums} FROM model_use WHERE spender = ? AND at > ?`)
    this.#all = database.prepare(`SELECT ${sums} FROM model_use WHERE at > ?`)
    this.#insert = database.prepare(
      'INSERT INTO model_use (at, spender, model, input, output, cost) VALUES (?, ?, ?, ?, ?, 0)',
    )
    this.#update = database.prepare('UPDATE model_use SET input = ?, output = ?, cost = ? WHERE id = ?')
    this.#prune = database.prepare(
      'DELETE FROM model_use WHERE at < ? OR id <= (SELECT coalesce(max(id), 0) FROM model_use) - ?',
    )
  }

  sumsOf(spender: string, since: number): ModelUseSums {
    return sumsIn(this.#of.get(spender, since))
  }

  sumsOfAll(since: number): ModelUseSums {
    return sumsIn(this.#all.get(since))
  }

  /** Adds a use that has cost nothing yet; returns its id. */
  insert(use: {
    readonly at: number
    readonly spender: string
    readonly model: string
    readonly input: number
    readonly output: number
  }): number {
    const { at, spender, model, input, output } = use
    return Number(this.#insert.run(at, spender, model, input, output).lastInsertRowid)
  }

  update(id: number, tokens: { readonly input: number; readonly output: number }, cost: number): void {
    this.#update.run(tokens.input, tokens.output, cost, id)
  }

  /** Removes uses before a time, and the oldest beyond a number. */
  prune(before: number, most: number): void {
    this.#prune.run(before, most)
  }
}

function sumsIn(row: { readonly [column: string]: unknown } | undefined): ModelUseSums {
  return {
    requests: Number(row?.requests ?? 0),
    tokens: Number(row?.tokens ?? 0),
    cost: Number(row?.cost ?? 0),
    oldest: typeof row?.oldest === 'number' ? row.oldest : undefined,
  }
}
