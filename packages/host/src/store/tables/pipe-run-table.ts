import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The tables of runs of plans: begun and ended calls, and nothing of their results. */
export const pipeTables: Migrations = {
  room: 'pipe',
  steps: [
    `CREATE TABLE pipe_run (
       number INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       principal TEXT NOT NULL,
       trace TEXT NOT NULL,
       at INTEGER NOT NULL,
       ended_at INTEGER,
       state TEXT NOT NULL,
       steps TEXT NOT NULL,
       stopped TEXT
     ) STRICT;
     CREATE TABLE pipe_call (
       number INTEGER PRIMARY KEY,
       run INTEGER NOT NULL REFERENCES pipe_run (number) ON DELETE CASCADE,
       step TEXT NOT NULL,
       item TEXT NOT NULL,
       state TEXT NOT NULL,
       why TEXT
     ) STRICT;
     CREATE INDEX pipe_call_of ON pipe_call (run)`,
  ],
}

/** A run of a plan. */
export interface PipeRunRow {
  readonly number: number
  readonly id: string
  readonly trace: string
  readonly at: number
  readonly endedAt: number | undefined
  readonly state: 'running' | 'done' | 'stopped' | 'interrupted'
  /** Its planned calls, as JSON. */
  readonly steps: string
  /** Step and reason of its stop, as JSON. */
  readonly stopped: string | undefined
}

/** A call of a run. */
export interface PipeCallRow {
  readonly step: string
  readonly item: string
  readonly state: 'began' | 'done' | 'failed'
  readonly why: string | undefined
}

/** The runs of plans and their calls. */
export class PipeRunTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** Marks runs that an earlier host left unfinished. */
  interruptRunning(): void {
    this.#database.prepare("UPDATE pipe_run SET state = 'interrupted' WHERE state = 'running'").run()
  }

  /** Adds a run that begins; returns its number. */
  insert(run: Pick<PipeRunRow, 'id' | 'trace' | 'at' | 'steps'> & { readonly principal: string }): number {
    const sql = "INSERT INTO pipe_run (id, principal, trace, at, state, steps) VALUES (?, ?, ?, ?, 'running', ?)"
    const { id, principal, trace, at, steps } = run
    return Number(this.#database.prepare(sql).run(id, principal, trace, at, steps).lastInsertRowid)
  }

  /** Removes ended runs up to a number. */
  removeUpTo(number: number): void {
    this.#database.prepare('DELETE FROM pipe_run WHERE number <= ? AND state <> ?').run(number, 'running')
  }

  end(number: number, { state, endedAt, stopped }: Pick<PipeRunRow, 'state' | 'endedAt' | 'stopped'>): void {
    const sql = 'UPDATE pipe_run SET state = ?, ended_at = ?, stopped = ? WHERE number = ?'
    this.#database.prepare(sql).run(state, endedAt ?? null, stopped ?? null, number)
  }

  /** A run of a principal; its last one when none is named. */
  find(principal: string, id: string | undefined): PipeRunRow | undefined {
    const row =
      id === undefined
        ? this.#database
            .prepare('SELECT * FROM pipe_run WHERE principal = ? ORDER BY number DESC LIMIT 1')
            .get(principal)
        : this.#database.prepare('SELECT * FROM pipe_run WHERE principal = ? AND id = ?').get(principal, id)
    return row && runIn(row)
  }

  /** Adds a call that begins; returns its number. */
  insertCall(run: number, step: string, item: string): number {
    const insert = this.#database.prepare("INSERT INTO pipe_call (run, step, item, state) VALUES (?, ?, ?, 'began')")
    return Number(insert.run(run, step, item).lastInsertRowid)
  }

  endCall(call: number, state: 'done' | 'failed', why: string | undefined): void {
    this.#database.prepare('UPDATE pipe_call SET state = ?, why = ? WHERE number = ?').run(state, why ?? null, call)
  }

  /** Numbers of calls of a run, by step and state. */
  countCalls(run: number): readonly (Pick<PipeCallRow, 'step' | 'state'> & { readonly count: number })[] {
    const rows = this.#database
      .prepare('SELECT step, state, count(*) AS count FROM pipe_call WHERE run = ? GROUP BY step, state')
      .all(run)
    return rows.map(({ step, state, count }) => ({
      step: String(step),
      state: state as PipeCallRow['state'],
      count: Number(count),
    }))
  }

  /** The first calls of a run that are not done. */
  undoneCalls(run: number, most: number): readonly PipeCallRow[] {
    const rows = this.#database
      .prepare("SELECT * FROM pipe_call WHERE run = ? AND state <> 'done' ORDER BY number LIMIT ?")
      .all(run, most)
    return rows.map(({ step, item, state, why }) => ({
      step: String(step),
      item: String(item),
      state: state as PipeCallRow['state'],
      why: typeof why === 'string' ? why : undefined,
    }))
  }
}

function runIn(row: { readonly [column: string]: unknown }): PipeRunRow {
  return {
    number: Number(row.number),
    id: String(row.id),
    trace: String(row.trace),
    at: Number(row.at),
    endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
    state: row.state as PipeRunRow['state'],
    steps: String(row.steps),
    stopped: typeof row.stopped === 'string' ? row.stopped : undefined,
  }
}
