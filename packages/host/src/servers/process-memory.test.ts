import assert from 'node:assert/strict'
import { test } from 'node:test'
import { macSystem } from '../../../../tools/lib/macos.ts'
import { memoryOf, processesOf } from './process-memory.ts'

test('processesOf, memoryOf: the group of a server on macOS, with the memory that ps tells in KiB', async () => {
  using system = macSystem([
    { pid: 10, parent: 1, program: 'node', args: 'server.js', kibibytes: 1_000 },
    { pid: 11, parent: 10, group: 10, program: '/bin/sh', args: '-c sleep', kibibytes: 24 },
    { pid: 12, parent: 1, program: 'other', kibibytes: 5 },
  ])
  assert.deepEqual(await processesOf(10, system), [
    { pid: 10, parent: 1, command: 'node server.js', bytes: 1_024_000 },
    { pid: 11, parent: 10, command: '/bin/sh -c sleep', bytes: 24 * 1_024 },
  ])
  assert.equal(await memoryOf(10, system), 1_024 * 1_024)
  assert.deepEqual(await processesOf(10, { ...system, platform: 'win32' }), [])
})
