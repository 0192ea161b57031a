import type { DatabaseSync } from 'node:sqlite'
import { applySteps, makerOf, runInTransaction } from '@trunkline/base/migrations'
import { StoreError } from './errors.ts'

/** The tables of one room of the host, as the numbered steps that lead to them; a step that was released never changes. */
export interface Migrations {
  readonly room: string
  /** SQL of one or more statements each; the first is number 1. */
  readonly steps: readonly string[]
  /** Makes what follows from the tables, such as an index, at each start. */
  prepare?(database: DatabaseSync): void
}

/** "Trnk": a SQLite file without it was made by another program. */
const applicationId = 0x54726e6b

/** Brings the tables of every room to its newest step, each step in one transaction. */
export function migrate(database: DatabaseSync, path: string, rooms: readonly Migrations[]): void {
  claim(database, path)
  const applied = new Map(rooms.map(({ room }) => [room, newestStep(database, room)]))
  if (applied.size < rooms.length) throw new Error('Cannot migrate: two rooms have the same name')
  for (const { room, steps } of rooms) refuseNewer(path, room, applied.get(room) ?? 0, steps.length)
  const insert = database.prepare('INSERT INTO migration (room, step, at) VALUES (?, ?, ?)')
  for (const { room, steps } of rooms) {
    const note = (step: number) => insert.run(room, step, new Date().toISOString())
    applySteps(database, { steps, applied: applied.get(room) ?? 0, note })
  }
  for (const room of rooms) if (room.prepare) runInTransaction(database, () => room.prepare?.(database))
}

function refuseNewer(path: string, room: string, found: number, known: number): void {
  if (found <= known) return
  const detail = `${room} is at step ${found}, this one knows ${known}`
  throw new StoreError(
    'Newer',
    `Cannot use "${path}": a newer Trunkline wrote it (${detail}); update Trunkline, or move the file away to start empty`,
  )
}

/** Takes an empty file as ours; refuses the database of another program. */
function claim(database: DatabaseSync, path: string): void {
  const maker = makerOf(database, applicationId)
  if (maker === 'ours') return
  if (maker === 'another') {
    const sentence = 'it is the database of another program; move it away, or set TRUNKLINE_HOME to another folder'
    throw new StoreError('NotOurs', `Cannot use "${path}": ${sentence}`)
  }
  runInTransaction(database, () =>
    database.exec(
      `PRAGMA application_id = ${applicationId};
       CREATE TABLE migration (room TEXT NOT NULL, step INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (room, step)) STRICT`,
    ),
  )
}

function newestStep(database: DatabaseSync, room: string): number {
  const row = database.prepare('SELECT max(step) AS step FROM migration WHERE room = ?').get(room)
  return Number(row?.step ?? 0)
}
