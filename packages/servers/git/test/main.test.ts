import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { startCosts } from '@trunkline/server-kit/start-cost'
import { call, TestRepository } from './test-repository.ts'

const main = join(import.meta.dirname, '../src/main.ts')

test('trunkline-git: serves a repository over stdio; what cannot start is said', async () => {
  using repository = new TestRepository({ 'a.txt': 'one\n' })
  await using client = (await connect({ command: process.execPath, args: [main, repository.path] })) as Client
  assert.equal((await call(client, 'get_status')).branch, 'main')
  const { status, stderr } = spawnSync(process.execPath, [main, '/no/such/place'], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [2, 'Cannot serve "/no/such/place": it is not a directory\n'])
})

test('trunkline-git: starts within three times the processor time of bare node with the library', () => {
  const { library, server } = startCosts(main, [import.meta.dirname])
  assert.ok(server < 3 * library, `${server} µs against ${library}`)
})
