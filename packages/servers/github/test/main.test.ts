import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCosts } from '@trunkline/server-kit/start-cost'

const main = join(import.meta.dirname, '../src/main.ts')

test('trunkline-github: a flag without its value, a wrong rule, and an address that would get the token unencrypted are said', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  const insecure = run('--api', 'http://github.example.com/api/v3')
  assert.deepEqual(
    [insecure.status, insecure.stderr],
    [2, 'Cannot start: "http://github.example.com/api/v3" is no address of GitHub; it begins with https://\n'],
  )
  assert.match(run('--repo').stderr, /^Cannot start: "--repo" takes a value\n/)
  assert.match(run('--outsiders', 'show').stderr, /^Cannot start: "--outsiders show" is neither mark nor hide\n/)
})

test('trunkline-github: starts within three times the processor time of bare node with the library', () => {
  const { library, server } = startCosts(main, [import.meta.dirname])
  assert.ok(server < 3 * library, `${server} µs against ${library}`)
})
