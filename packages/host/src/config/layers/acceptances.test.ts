import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { acceptanceTables } from '../../store/tables/acceptance-table.ts'
import { readJson } from '../document/json.ts'
import { Acceptances } from './acceptances.ts'
import { readLayer } from './layer.ts'
import { permitsOf } from './permits.ts'

function permits(allow: readonly string[]) {
  const found = permitsOf(readLayer('project', readJson('/shop/trunkline.json', JSON.stringify({ policy: { allow } }))))
  assert.ok(found)
  return found
}

test('Acceptances: exactly this file is accepted, and still is the next time', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  {
    await using store = openStore({ path, rooms: [acceptanceTables] })
    const acceptances = new Acceptances(store)
    assert.equal(acceptances.has(permits(['a:b'])), false)
    assert.equal(acceptances.last('/shop/trunkline.json'), undefined)
    await acceptances.accept(permits(['a:b']), 1)
    assert.equal(acceptances.has(permits(['a:b'])), true)
    assert.equal(acceptances.has(permits(['a:*'])), false)
  }
  await using store = openStore({ path, rooms: [acceptanceTables] })
  const acceptances = new Acceptances(store)
  assert.deepEqual(acceptances.last('/shop/trunkline.json')?.settings, permits(['a:b']).settings)
  await acceptances.accept(permits(['a:*']), 2)
  assert.equal(acceptances.has(permits(['a:b'])), false)
  assert.equal(acceptances.has(permits(['a:*'])), true)
  await acceptances.revoke('/shop/trunkline.json')
  assert.equal(acceptances.has(permits(['a:*'])), false)
})
