import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { until } from '../../../../../tools/lib/until.ts'
import { noProc, processes, program } from '../../../test/processes.ts'
import { Recorder } from '../../../test/recorder.ts'
import type { SuccessMessage } from '../../wire/messages.ts'
import { spawnChannel } from './spawn.ts'

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
