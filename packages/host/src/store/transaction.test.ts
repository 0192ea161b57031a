import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { runInTransaction } from './transaction.ts'

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
