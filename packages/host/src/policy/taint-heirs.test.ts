import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { taintTables } from '../store/tables/taint-table.ts'
import { TaintHeirs } from './taint-heirs.ts'

it('TaintHeirs: inherits through others, over a restart, and keeps at most 1000 links', async () => {
  using folder = temporaryFolder()
  const open = () => openStore({ path: join(folder.path, 'store.db'), rooms: [taintTables] })
  const store = open()
  const heirs = new TaintHeirs(store, 60_000)
  await heirs.add('c', new Set(['b', 'c']))
  await heirs.add('b', new Set(['a']))
  const since = Date.now() - 60_000
  assert.deepEqual([...heirs.ancestorsOf('c', since)].sort(), ['a', 'b'])
  assert.deepEqual([...heirs.ancestorsOf('a', since)], [])
  await store.close()
  const again = open()
  const later = new TaintHeirs(again, 60_000)
  assert.deepEqual([...later.ancestorsOf('c', since)].sort(), ['a', 'b'])
  await later.add('many', new Set(Array.from({ length: 1_500 }, (_, at) => `p${at}`)))
  assert.equal(again.database.prepare('SELECT count(*) AS count FROM taint_heir').get()?.count, 1_000)
  await later.forget('many')
  assert.deepEqual([...later.ancestorsOf('many', since)], [])
  await again.close()
})
