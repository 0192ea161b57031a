import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { inserter, numbersIn, openNumbers } from './numbers.ts'

const holder = programFile(new URL('holder.ts', import.meta.url))
const writer = programFile(new URL('writer.ts', import.meta.url))

/** Starts the holder and waits for the line it says. */
async function hold(path: string, command: readonly string[] = [process.execPath]) {
  const [file = '', ...args] = [...command, holder, path]
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const [said] = (await once(lines, 'line')) as [string]
  const release = async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { said, pid: child.pid, [Symbol.asyncDispose]: release }
}

test('openStore: while another process has it, the error names that process', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  {
    await using other = await hold(path)
    assert.equal(other.said, 'open')
    assert.throws(() => openNumbers(path), {
      code: 'Locked',
      message: `Cannot use "${path}": process ${other.pid} is using it; stop that one, or set TRUNKLINE_HOME to another folder`,
    })
  }
  await openNumbers(path).close()
})

test('openStore: a folder that cannot be written is a sentence', async () => {
  using folder = temporaryFolder()
  const state = join(folder.path, 'state')
  mkdirSync(state)
  chmodSync(state, 0o555)
  // root may write everywhere; without that power it is bound like others, and still reaches a repository of its own
  const bound = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
  await using other = await hold(join(state, 'a.db'), [...bound, process.execPath])
  assert.match(other.said, /^ReadOnly Cannot use ".*": the file or its folder is read-only; make both writable/)
})

test('openStore: a full disk is a sentence', {
  skip: lacking('namespaces', spawnSync('unshare', ['-rm', 'true']).status === 0),
}, async () => {
  using folder = temporaryFolder()
  const small = `mount -t tmpfs -o size=8k none "${folder.path}" && exec "$0" "$@"`
  await using other = await hold(join(folder.path, 'a.db'), ['unshare', '-rm', 'sh', '-c', small, process.execPath])
  assert.match(other.said, /^Full Cannot use ".*": the disk is full/)
})

test('batch: killed at any instant, everything acknowledged is there and nothing is damaged', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  for (let round = 1; round <= 12; round++) {
    const acknowledged = await writeUntilKilled(path, round * 7)
    await using store = openNumbers(path)
    const kept = numbersIn(store)
    assert.ok(kept.length >= acknowledged, `${acknowledged} acknowledged, ${kept.length} kept`)
    assert.deepEqual(
      kept,
      Array.from({ length: kept.length }, (_, at) => at + 1),
    )
    assert.deepEqual(store.check(), [])
    await store.batch(() => inserter(store)(kept.length + 1))
  }
})

/** Lets a process write until it has acknowledged some batches, kills it, and tells the last number acknowledged. */
async function writeUntilKilled(path: string, batches: number): Promise<number> {
  const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = 0
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (++seen === batches) child.kill('SIGKILL')
  }
  return last
}
