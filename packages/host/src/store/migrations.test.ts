import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore, type Store } from './store.ts'

const first = 'CREATE TABLE a (value INTEGER) STRICT; INSERT INTO a VALUES (1)'
const second = "ALTER TABLE a ADD COLUMN name TEXT; UPDATE a SET name = 'one'"

function steps({ database }: Store) {
  return database
    .prepare('SELECT room, step FROM migration ORDER BY room, step')
    .all()
    .map(({ room, step }) => `${room} ${step}`)
}

test('migrate: each room goes on from where it is', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  await openStore({ path, rooms: [{ room: 'a', steps: [first] }] }).close()
  await using store = openStore({
    path,
    rooms: [
      { room: 'a', steps: [first, second] },
      { room: 'b', steps: ['CREATE TABLE b (value INTEGER) STRICT'] },
    ],
  })
  assert.deepEqual(steps(store), ['a 1', 'a 2', 'b 1'])
  assert.deepEqual({ ...store.database.prepare('SELECT * FROM a').get() }, { value: 1, name: 'one' })
})

test('migrate: a step that fails leaves nothing of itself and all of the steps before', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  const broken = 'CREATE TABLE half (value INTEGER) STRICT; CREATE TABLE a (value INTEGER) STRICT'
  assert.throws(() => openStore({ path, rooms: [{ room: 'a', steps: [first, broken] }] }), /table a already exists/)
  await using store = openStore({ path, rooms: [{ room: 'a', steps: [first] }] })
  assert.deepEqual(steps(store), ['a 1'])
  const tables = store.database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()
  assert.deepEqual(tables, [])
})

test('migrate: a room that is not used now is left alone', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  await openStore({ path, rooms: [{ room: 'a', steps: [first] }] }).close()
  await using store = openStore({ path, rooms: [] })
  assert.deepEqual(steps(store), ['a 1'])
})

test('migrate: two rooms of one name are a mistake', () => {
  using folder = temporaryFolder()
  const room = { room: 'a', steps: [first] }
  assert.throws(() => openStore({ path: join(folder.path, 'a.db'), rooms: [room, room] }), /same name/)
})
