import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { withLock } from './lock-file.ts'

/** Elsewhere the start of a process is not known. */
const noProc = { skip: lacking('linux', process.platform === 'linux') }

test('withLock: one at a time, and nothing is left', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.lock')
  let inside = 0
  const work = async () => {
    assert.equal(++inside, 1)
    await new Promise(setImmediate)
    inside--
  }
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)))
  assert.deepEqual(readdirSync(folder.path), [])
})

test('withLock: a failure frees it', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.lock')
  await assert.rejects(
    withLock(path, () => Promise.reject(new Error('mine'))),
    /mine/,
  )
  assert.equal(await withLock(path, async () => 1), 1)
})

test('withLock: the lock of a process that died is taken over', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.lock')
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  writeFileSync(path, `${child.pid} dead\n`)
  assert.equal(await withLock(path, async () => 1), 1)
})

test('withLock: so is that of a process whose number a later process has', noProc, async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.lock')
  writeFileSync(path, `${process.pid} dead 1\n`)
  assert.equal(await withLock(path, async () => 1), 1)
})

test('withLock: a wait that is too long ends with the name of the holder', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.lock')
  await withLock(path, () =>
    assert.rejects(
      withLock(path, async () => 1, { timeoutMs: 50 }),
      { message: `Cannot lock "${path}": process ${process.pid} holds it; wait for it or stop it` },
    ),
  )
})
