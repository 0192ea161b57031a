import type { Migrations } from '../../src/store/migrations.ts'
import { openStore, type Store } from '../../src/store/store.ts'

/** A room with one table, for tests. */
export const numbers: Migrations = {
  room: 'numbers',
  steps: ['CREATE TABLE number (value INTEGER PRIMARY KEY) STRICT'],
}

/** A store with the table of numbers. */
export function openNumbers(path: string, maxBytes?: number): Store {
  return openStore({ path, rooms: [numbers], ...(maxBytes !== undefined && { maxBytes }) })
}

/** A function that writes one number. */
export function inserter({ database }: Store): (value: number) => void {
  const insert = database.prepare('INSERT INTO number (value) VALUES (?)')
  return (value) => void insert.run(value)
}

/** The numbers that the store holds. */
export function numbersIn({ database }: Store): number[] {
  return database
    .prepare('SELECT value FROM number ORDER BY value')
    .all()
    .map(({ value }) => Number(value))
}
