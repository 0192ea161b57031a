import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { macSystem } from '../../../../../tools/lib/macos.ts'
import { until } from '../../../../../tools/lib/until.ts'
import { noProc, processes, program } from '../../../test/processes.ts'
import { Recorder } from '../../../test/recorder.ts'
import type { SuccessMessage } from '../../wire/messages.ts'
import { findMarked, processMark, stopMarked } from './marked-processes.ts'
import { spawnChannel } from './spawn.ts'
import { scriptFor } from './supervisor.ts'

// a session of its own, whose parent is gone, and which nothing but SIGKILL ends
const daemon = 'trap "" TERM; echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$$,\\"result\\":{}}"; while :; do sleep 1; done'
const args = ['-c', `(setsid sh -c '${daemon}' &); cat`]

const isGone = (pid: number): boolean => processes().every((entry) => entry.pid !== pid)

test('ChildChannel: a daemon of the program ends with it, where that is wanted', { skip: noProc }, async () => {
  const channel = spawnChannel({ command: 'sh', args }, { graceMs: 200, endDaemons: true })
  const receiver = new Recorder()
  channel.open(receiver)
  await receiver.received(1)
  const pid = Number((receiver.messages[0] as SuccessMessage).id)
  assert.ok(!isGone(pid))
  await channel.close()
  await until(() => isGone(pid), 'the daemon to end')
})

/** A client of a program with a daemon; prints the id of the daemon. */
async function client(module: string, ...args: string[]): Promise<void> {
  const { spawnChannel } = await import(module)
  spawnChannel({ command: 'sh', args }, { endDaemons: true }).open({
    message: ({ id }: { id: number }) => process.stdout.write(`${id}`),
    malformed: () => {},
    failed: () => {},
    ended: async () => {},
    closed: () => {},
  })
}

test('Supervisor: a daemon ends when the client is killed', { skip: noProc }, async () => {
  const { command, args: started = [] } = program(client, new URL('./spawn.ts', import.meta.url).href, ...args)
  const host: ChildProcessWithoutNullStreams = spawn(command, started)
  const [said] = await once(host.stdout, 'data')
  const pid = Number(String(said))
  assert.ok(!isGone(pid))
  host.kill('SIGKILL')
  await until(() => isGone(pid), 'the daemon to end')
})

/** A program that runs until it is ended. */
function sleeper() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  return { pid: child.pid ?? 0, ended: once(child, 'exit'), [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

const [variable = '', family = ''] = processMark.slice(0, -1).split('=')

test('stopMarked, findMarked: on macOS by the environments that ps shows', async () => {
  using one = sleeper()
  const environment = `PATH=/bin ${variable}=${family}-7 HOME=/`
  using system = macSystem([{ pid: one.pid, parent: 1, program: 'sleep', args: '600', environment }], {
    onlyRunning: true,
  })
  assert.deepEqual(await findMarked(processMark, system), [one.pid])
  await stopMarked(`${family}-70`, 100, system)
  assert.deepEqual(await findMarked(processMark, system), [one.pid])
  await stopMarked(`${family}-7`, 5_000, system)
  assert.equal((await one.ended)[1], 'SIGTERM')
  assert.deepEqual(await findMarked(processMark, { ...system, platform: 'win32' }), [])
})

test('Supervisor: on macOS it ends what left its group by the environments that ps shows, and not itself', async () => {
  using group = sleeper()
  using daemon = sleeper()
  using system = macSystem(
    [{ pid: daemon.pid, parent: 1, program: 'sleep', args: '600', environment: `${processMark}1 HOME=/` }],
    { onlyRunning: true },
  )
  const env = { PATH: system.folders }
  const supervisor = spawn('/bin/sh', ['-c', scriptFor('darwin'), 'sh', processMark], { env })
  const ended = once(supervisor, 'exit')
  supervisor.stdin.end(`watch ${group.pid}\n`)
  assert.equal((await group.ended)[1], 'SIGTERM')
  assert.equal((await daemon.ended)[1], 'SIGTERM')
  // its own signal would end it before it is done
  assert.equal((await ended)[1], null)
})
