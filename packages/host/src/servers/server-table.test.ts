import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerSpec } from './server-spec.ts'
import { ServerTable } from './server-table.ts'

const spec = (name: string): ServerSpec => ({
  name,
  launch: { kind: 'program', command: process.execPath, args: ['--version'], cwd: '/', env: {} },
})

function tableOf() {
  const gone: string[] = []
  const table = new ServerTable({ connecting: { options: () => ({}) }, onGone: (server) => gone.push(server) })
  return { table, gone }
}

test('ServerTable: a server that is no longer configured is gone, and so are the copies of it', async () => {
  const { table, gone } = tableOf()
  await table.apply([spec('one'), spec('other')])
  const copy = table.copy('one', 'editor')
  await table.apply([spec('other')])
  assert.deepEqual(gone, ['one', copy.name])
  assert.deepEqual([table.names, table.copies], [['other'], 0])
  await table.close()
})

test('ServerTable: of the copies for single callers 64 are kept; the one that was not used longest makes room', async () => {
  const { table, gone } = tableOf()
  await table.apply([spec('one')])
  const copies = Array.from({ length: 64 }, (_, at) => table.copy('one', `caller${at}`).name)
  table.copy('one', 'caller0')
  assert.deepEqual([table.copies, gone], [64, []])
  table.copy('one', 'another')
  assert.deepEqual([table.copies, gone], [64, [copies[1]]])
  await table.close()
})
