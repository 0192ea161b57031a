import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../../tools/lib/until.ts'
import { groupGone, noProc, processes, program } from '../../../test/processes.ts'
import { Recorder } from '../../../test/recorder.ts'
import { soon } from '../../../test/soon.ts'
import type { SuccessMessage } from '../../wire/messages.ts'
import { type ChildChannel, type SpawnOptions, spawnChannel } from './spawn.ts'
import type { SpawnTarget } from './spawn-target.ts'

/** Says that it runs, and ends neither at the end of its input nor on SIGTERM. */
function stubborn(): void {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
  process.stdout.write('{"jsonrpc":"2.0","method":"ready"}\n')
}

interface Opened extends AsyncDisposable {
  readonly channel: ChildChannel
  readonly receiver: Recorder
  readonly group: number
}

/** Milliseconds for a program that ends by itself, however busy the machine is. */
const patientMs = 60_000

/** Resolves when that many processes have said that they run. */
async function started(
  target: SpawnTarget,
  { ready = 1, ...options }: SpawnOptions & { ready?: number } = {},
): Promise<Opened> {
  const channel = spawnChannel(target, { graceMs: 100, ...options })
  const receiver = new Recorder()
  channel.open(receiver)
  await receiver.received(ready)
  return { channel, receiver, group: channel.pid as number, [Symbol.asyncDispose]: () => channel.close() }
}

const membersOf = (group: number): number => processes().filter((entry) => entry.group === group).length

test('ChildChannel: a program that ends neither at the end of its input nor on SIGTERM is killed', {
  skip: noProc,
}, async () => {
  await using both = await started(program(stubborn))
  await both.channel.close()
  assert.equal((await soon(both.channel.exited, 'the program to end')).signal, 'SIGKILL')
  assert.equal(membersOf(both.group), 0)
})

test('ChildChannel: a program that ignores the end of its input is asked by SIGTERM', { skip: noProc }, async () => {
  const target = program(() => {
    process.on('SIGTERM', () => process.exit(7))
    setInterval(() => {}, 1_000)
    process.stdout.write('{"jsonrpc":"2.0","method":"ready"}\n')
  })
  await using both = await started(target, { graceMs: 1_000 })
  await both.channel.close()
  assert.deepEqual(await soon(both.channel.exited, 'the program to end'), { code: 7, signal: null })
  assert.equal(membersOf(both.group), 0)
})

test('ChildChannel: a program that is stopped is killed', { skip: noProc }, async () => {
  await using both = await started(program(stubborn))
  process.kill(both.group, 'SIGSTOP')
  for (let id = 0; id < 100; id++)
    void both.channel.send({ jsonrpc: '2.0', id, method: 'x', params: { text: 'x'.repeat(10_000) } })
  await both.channel.close()
  assert.equal(membersOf(both.group), 0)
})

test('ChildChannel: a program inside a shell ends with the shell', { skip: noProc }, async () => {
  const { command, args = [] } = program(stubborn)
  // the command after it keeps the shell from becoming the program itself
  await using both = await started({ command: 'sh', args: ['-c', '"$0" "$@"; true', command, ...args] })
  assert.equal(membersOf(both.group), 2)
  await both.channel.close()
  assert.equal(membersOf(both.group), 0)
})

/** Starts itself once more for each level below. */
function deep(levels: string): void {
  const { spawn } = process.getBuiltinModule('node:child_process')
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
  process.stdout.write('{"jsonrpc":"2.0","method":"ready"}\n')
  const left = Number(levels) - 1
  if (left > 0) spawn(process.execPath, [...process.execArgv, `${left}`], { stdio: 'inherit' })
}

test('ChildChannel: a tree of three stubborn generations ends as a whole', { skip: noProc }, async () => {
  await using both = await started(program(deep, '3'), { ready: 3 })
  assert.equal(membersOf(both.group), 3)
  await both.channel.close()
  assert.equal(membersOf(both.group), 0)
})

test('ChildChannel: processes that a program leaves behind when it exits are ended without being asked', {
  skip: noProc,
}, async () => {
  const { command, args = [] } = program(stubborn)
  const script = '"$0" "$@" & read -r line; exit 5'
  await using both = await started({ command: 'sh', args: ['-c', script, command, ...args] })
  void both.channel.send({ jsonrpc: '2.0', method: 'exit' })
  assert.equal((await both.receiver.whenClosed())?.message, 'Server "sh" exited with code 5')
  await groupGone(both.group)
  await both.channel.close()
})

test('ChildChannel: processes left by a program that is told to exit are ended too', { skip: noProc }, async () => {
  const script = 'sleep 1000 >/dev/null 2>&1 & echo \'{"jsonrpc":"2.0","method":"ready"}\'; read -r line'
  await using both = await started({ command: 'sh', args: ['-c', script] }, { graceMs: patientMs })
  await both.channel.close()
  assert.equal((await soon(both.channel.exited, 'the program to end')).signal, null)
  assert.equal(membersOf(both.group), 0)
})

test('ChildChannel: a process that left the group cannot keep the channel open', { skip: noProc }, async () => {
  const daemon = 'echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$$,\\"result\\":{}}"; exec sleep 1000'
  await using both = await started({
    command: 'sh',
    args: ['-c', `setsid sh -c '${daemon}' & wait; true`],
  })
  const id = Number((both.receiver.messages[0] as SuccessMessage).id)
  await both.channel.close()
  assert.equal(membersOf(both.group), 0)
  process.kill(id, 'SIGKILL')
  await until(() => processes().every(({ pid }) => pid !== id), 'the daemon to end')
})

test('ChildChannel: closing it before it was opened ends the program as well', { skip: noProc }, async () => {
  const channel = spawnChannel(program(stubborn), { graceMs: 50 })
  await channel.close()
  assert.equal(membersOf(channel.pid as number), 0)
})

test('ChildChannel: many are started and closed without a trace', { skip: noProc }, async () => {
  const children = (): number => processes().filter(({ parent }) => parent === process.pid).length
  const before = children()
  for (let round = 0; round < 10; round++) {
    const both = await Promise.all(
      Array.from({ length: 5 }, () =>
        started({ command: 'sh', args: ['-c', 'echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"ready\\"}"; cat'] }),
      ),
    )
    await Promise.all(both.map(({ channel }) => channel.close()))
  }
  // one of a test before may have been about to end
  await until(() => children() <= before, 'all children to end')
})
