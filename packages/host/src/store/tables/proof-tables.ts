import type { DatabaseSync } from 'node:sqlite'
import type { Migrations } from '../migrations.ts'
import type { Store } from '../store.ts'

/** The tables of the proof: the enrolment, the uses of each passkey, wrong PINs, and a reset that was asked for. */
export const proofTables: Migrations = {
  room: 'proof',
  steps: [
    `CREATE TABLE proof_enrolment (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       record TEXT NOT NULL
     ) STRICT;
     CREATE TABLE proof_counter (
       passkey TEXT PRIMARY KEY,
       counter INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE proof_tries (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       failed INTEGER NOT NULL,
       wait_until INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE proof_reset (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       asked_at INTEGER NOT NULL,
       due_at INTEGER NOT NULL
     ) STRICT`,
  ],
}

/** The enrolment of a person, as JSON, and the counters of their passkeys. */
export class EnrolmentTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  record(): string | undefined {
    const row = this.#database.prepare('SELECT record FROM proof_enrolment').get()
    return row && String(row.record)
  }

  put(record: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO proof_enrolment (id, record) VALUES (1, ?)').run(record)
  }

  /** Removes the enrolment and all counters. */
  clear(): void {
    this.#database.exec('DELETE FROM proof_enrolment; DELETE FROM proof_counter')
  }

  /** The last counter that a passkey reported; 0 before the first. */
  counterOf(passkey: string): number {
    const row = this.#database.prepare('SELECT counter FROM proof_counter WHERE passkey = ?').get(passkey)
    return Number(row?.counter ?? 0)
  }

  setCounter(passkey: string, counter: number): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO proof_counter (passkey, counter) VALUES (?, ?)')
      .run(passkey, counter)
  }
}

/** Wrong PINs in a row, and the time of the next possible one. */
export interface PinTriesRow {
  readonly failed: number
  readonly waitUntil: number
}

/** The tries of the PIN. */
export class PinTriesTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  get(): PinTriesRow {
    const row = this.#database.prepare('SELECT failed, wait_until FROM proof_tries').get()
    return { failed: Number(row?.failed ?? 0), waitUntil: Number(row?.wait_until ?? 0) }
  }

  put({ failed, waitUntil }: PinTriesRow): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO proof_tries (id, failed, wait_until) VALUES (1, ?, ?)')
      .run(failed, waitUntil)
  }
}

/** The reset of the proof that was asked for. */
export class ProofResetTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  dueAt(): number | undefined {
    const row = this.#database.prepare('SELECT due_at FROM proof_reset').get()
    return row && Number(row.due_at)
  }

  insert(askedAt: number, dueAt: number): void {
    this.#database.prepare('INSERT INTO proof_reset (id, asked_at, due_at) VALUES (1, ?, ?)').run(askedAt, dueAt)
  }

  clear(): void {
    this.#database.exec('DELETE FROM proof_reset')
  }
}
