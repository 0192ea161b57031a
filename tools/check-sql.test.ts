import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkParameters, checkSql } from './check-sql.ts'

const problemsIn = (text: string, path = 'packages/host/src/inbox/x.ts') => checkSql([{ path, text }])

test('checkSql: statements, and what could run them, are problems outside of the store', () => {
  const lines = [
    "const rows = 'SELECT name FROM principal'",
    "run('INSERT OR REPLACE INTO outcome (key) VALUES (?)')",
    '`DELETE FROM spill WHERE at <= ?`',
    "'UPDATE task SET status = ?'",
    "  steps: ['CREATE TABLE note (text TEXT) STRICT'],",
    "import type { DatabaseSync } from 'node:sqlite'",
    'this.#find = given.prepare(text)',
    'const table = new Table(store.database)',
    'export function keyOf({ database }: Store): string {',
  ]
  for (const line of lines)
    assert.deepEqual(
      problemsIn(`// x\n${line}`).map(({ path, line: at }) => [path, at]),
      [['packages/host/src/inbox/x.ts', 2]],
      line,
    )
})

test('checkSql: the store and tests may have it, and words that only look like it are none', () => {
  const statement = "const rows = database.prepare('SELECT 1 FROM note').all()"
  for (const path of ['packages/host/src/store/tables/note-table.ts', 'packages/host/src/inbox/inbox.test.ts'])
    assert.deepEqual(problemsIn(statement, path), [])
  const words =
    '/** Select one from the list, update a set, delete from here. */\nconst { database, docs } = entries\nprepareFile(path)'
  assert.deepEqual(problemsIn(words), [])
})

test('checkParameters: a numbered parameter is a problem, a named one and a bare one are not', () => {
  const problems = (text: string) => checkParameters([{ path: 'packages/host/src/store/tables/x.ts', text }])
  assert.equal(problems("'DELETE FROM note WHERE ?1 IS NULL OR name = ?1'").length, 1)
  assert.deepEqual(problems("'DELETE FROM note WHERE $name IS NULL OR name = ? LIMIT 3'"), [])
})
