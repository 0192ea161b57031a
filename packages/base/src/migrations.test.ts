import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { applySteps, makerOf, runInTransaction } from './migrations.ts'

const notesIn = (database: DatabaseSync) =>
  database
    .prepare('SELECT text FROM note')
    .all()
    .map(({ text }) => text)

test('runInTransaction: keeps all of the work, or nothing of it when it throws', () => {
  using database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT')
  runInTransaction(database, () => database.exec("INSERT INTO note VALUES ('one'); INSERT INTO note VALUES ('two')"))
  const failing = () =>
    runInTransaction(database, () => {
      database.exec('DELETE FROM note')
      throw new Error('enough')
    })
  assert.throws(failing, /enough/)
  assert.equal(database.isTransaction, false)
  assert.deepEqual(notesIn(database), ['one', 'two'])
})

test('applySteps: applies what is missing, and nothing of a step that fails', () => {
  using database = new DatabaseSync(':memory:')
  const create = 'CREATE TABLE note (text TEXT NOT NULL) STRICT'
  const noted: number[] = []
  const note = (step: number) => void noted.push(step)
  applySteps(database, { steps: [create, "INSERT INTO note VALUES ('one')"], applied: 0, note })
  const failing = ['', '', "INSERT INTO note VALUES ('two')", "INSERT INTO note VALUES ('three'); nonsense", create]
  assert.throws(() => applySteps(database, { steps: failing, applied: 2, note }), /nonsense/)
  assert.deepEqual(
    [notesIn(database), noted],
    [
      ['one', 'two'],
      [1, 2, 3],
    ],
  )
})

test('makerOf: an empty file belongs to none, and one without the number to another program', () => {
  using database = new DatabaseSync(':memory:')
  assert.equal(makerOf(database, 7), 'none')
  database.exec('CREATE TABLE note (text TEXT) STRICT')
  assert.equal(makerOf(database, 7), 'another')
  database.exec('PRAGMA application_id = 7')
  assert.equal(makerOf(database, 7), 'ours')
})
