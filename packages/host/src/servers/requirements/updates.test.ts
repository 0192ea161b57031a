import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soundUpdates, updatesOff } from './updates.ts'

test('of the updates that a server declares, eight variables and 200 characters are taken', () => {
  const off = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`UPDATE_${at}`, 'off']))
  const updates = soundUpdates({ by: 'itself', from: 'x'.repeat(1_000), off })
  assert.equal(updates?.from?.length, 200)
  assert.equal(Object.keys(updates?.off ?? {}).length, 8)
  assert.equal(Object.keys(updatesOff(updates, {})).length, 8)
})

test('a variable is set for a server when its name is about updates, and its name and value are short and plain', () => {
  const set = (name: string, value = 'off') =>
    Object.keys(updatesOff({ by: 'itself', off: { [name]: value } }, {})).length === 1
  assert.deepEqual([set('NO_UPDATE'), set('npm_config_upgrade', '0')], [true, true])
  for (const name of ['NODE_OPTIONS', 'PATH', 'A UPDATE', `UPDATE_${'X'.repeat(64)}`]) assert.equal(set(name), false)
  for (const value of ['$(x)', 'a b', 'x'.repeat(65)]) assert.equal(set('NO_UPDATE', value), false)
})
