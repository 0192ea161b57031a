import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { macSystem } from '../../../tools/lib/macos.ts'
import { lacking } from '../../../tools/lib/needs.ts'
import '../../mcp/test/no-leaks.ts'
import { noProc } from '../../mcp/test/processes.ts'
import { lockFile } from './lock-file.ts'

async function place() {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'))
  const left = () => readdir(folder)
  return { path: join(folder, 'a.lock'), left, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** A process that takes the lock, says so and keeps it. */
async function holder(path: string) {
  const source = `const { lockFile } = await import(${JSON.stringify(new URL('lock-file.ts', import.meta.url))})
    await lockFile(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const elsewhere = '1 left-behind  elsewhere\n'
const long = new Date(Date.now() - 3_600_000)

test('lockFile: is held by one at a time, and leaves nothing', async () => {
  await using at = await place()
  let holding = 0
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await using _lock = await lockFile(at.path, { lookMs: 1 })
      assert.equal(++holding, 1)
      await new Promise(setImmediate)
      holding--
    }),
  )
  assert.deepEqual(await at.left(), [])
})

test('lockFile: is held against another process until that lets it go', async () => {
  await using at = await place()
  const child = await holder(at.path)
  // who gives up at once has looked once
  await assert.rejects(lockFile(at.path, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('lockFile: a process that was killed holds nothing, and of many that wait one gets it at a time', async () => {
  await using at = await place()
  const child = await holder(at.path)
  let holding = 0
  const waiting = Array.from({ length: 20 }, async () => {
    await using _lock = await lockFile(at.path, { lookMs: 1 })
    assert.equal(++holding, 1)
    await new Promise(setImmediate)
    holding--
  })
  child.kill('SIGKILL')
  await Promise.all(waiting)
  assert.deepEqual(await at.left(), [])
})

test('lockFile: a lock of another machine holds until it is old', async () => {
  await using at = await place()
  await writeFile(at.path, elsewhere)
  await assert.rejects(lockFile(at.path, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await utimes(at.path, long, long)
  await using _lock = await lockFile(at.path, { lookMs: 1 })
})

test('lockFile: a lock that says nothing holds until it is old', async () => {
  await using at = await place()
  await writeFile(at.path, '')
  await utimes(at.path, long, long)
  await using _lock = await lockFile(at.path, { lookMs: 1 })
})

test('lockFile: a process that died while removing a lock does not block it for ever', async () => {
  await using at = await place()
  await writeFile(at.path, `${2 ** 30} left-behind  ${hostname()}\n`)
  await writeFile(`${at.path}.left-behind`, '')
  await utimes(`${at.path}.left-behind`, long, long)
  {
    await using _lock = await lockFile(at.path, { lookMs: 1 })
  }
  assert.deepEqual(await at.left(), [])
})

test('lockFile: does not release a lock that another process has taken since', async () => {
  await using at = await place()
  const lock = await lockFile(at.path)
  await writeFile(at.path, elsewhere)
  await lock[Symbol.asyncDispose]()
  assert.deepEqual(await at.left(), ['a.lock'])
})

test('lockFile: a later process with the number of the holder does not hold it', { skip: noProc }, async () => {
  await using at = await place()
  await writeFile(at.path, `${process.pid} earlier 1 ${hostname()}\n`)
  await using _lock = await lockFile(at.path, { lookMs: 1 })
})

test('lockFile: a wait beyond its limit ends with the name of the holder', async () => {
  await using at = await place()
  await using _lock = await lockFile(at.path)
  await assert.rejects(lockFile(at.path, { lookMs: 1, timeoutMs: 10 }), {
    message: `Cannot lock "${at.path}": process ${process.pid} holds it; wait for it or stop it`,
  })
})

test('lockFile: on macOS a later process with the number of the holder does not hold it, by the start that ps tells', {
  skip: lacking('posix', process.platform !== 'win32'),
}, async () => {
  await using at = await place()
  using system = macSystem([{ pid: process.pid, parent: 1, program: 'node' }])
  await writeFile(at.path, `${process.pid} earlier 1 ${hostname()}\n`)
  await using _lock = await lockFile(at.path, { lookMs: 1, system })
})

test('lockFile: where macOS does not tell when a process was started, its number holds the lock', async () => {
  await using at = await place()
  await writeFile(at.path, `${process.pid} earlier 1 ${hostname()}\n`)
  const system = { platform: 'darwin', folders: '/nowhere' } as const
  await assert.rejects(lockFile(at.path, { lookMs: 1, timeoutMs: 10, system }), /holds it/)
})
