import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { sandbox } from './sandbox.ts'

const main = join(import.meta.dirname, '../src/main.ts')

test('trunkline-files: serves the directories that it is given, over stdio', async () => {
  using box = sandbox({ 'a.txt': 'A' })
  await using client: Client = await connect({ command: process.execPath, args: [main, '--read-only', box.inside] })
  const { content } = await client.tools.call('read_file', { path: 'a.txt' } as never)
  assert.deepEqual(content, [{ type: 'text', text: 'A' }])
  const names = (await client.tools.list().all()).map(({ name }) => name)
  assert.ok(!names.includes('write_file'))
})

test('trunkline-files: a directory that is not there is said, and it exits with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, '/no/such/place'], { encoding: 'utf8' })
  assert.equal(status, 2)
  assert.equal(stderr, 'Cannot serve "/no/such/place": it is not a directory\n')
})

test('trunkline-files: help, and an unknown flag', () => {
  assert.match(spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' }).stdout, /--http \[host:\]port/)
  assert.notEqual(spawnSync(process.execPath, [main, '--nonsense'], { encoding: 'utf8' }).status, 0)
})
