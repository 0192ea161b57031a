import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { until } from '../../../../../tools/lib/until.ts'
import { type Entry, groupGone, noProc, processes, program } from '../../../test/processes.ts'
import { type ChildChannel, spawnChannel } from './spawn.ts'

type Module = { spawnChannel: typeof spawnChannel }

const module = new URL('./spawn.ts', import.meta.url).href

/** A client of two programs that end neither at the end of their input nor on SIGTERM; says when both run. */
async function client(module: string): Promise<void> {
  const { spawnChannel }: Module = await import(module)
  const script = 'trap "" TERM; echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"ready\\"}"; while :; do sleep 1; done'
  process.stdin.once('data', () => process.exit())
  let ready = 0
  for (const [command, args] of [
    ['sh', ['-c', script]],
    ['sh', ['-c', 'sh -c "$0"; true', script]],
  ] as const) {
    spawnChannel({ command, args }).open({
      message: () => ++ready === 2 && process.stdout.write('ready'),
      malformed: () => {},
      failed: () => {},
      ended: async () => {},
      closed: () => {},
    })
  }
}

const hosts: ChildProcessWithoutNullStreams[] = []
after(() => {
  for (const host of hosts) host.kill('SIGKILL')
})

async function startClient(): Promise<ChildProcessWithoutNullStreams> {
  const { command, args = [] } = program(client, module)
  const host = spawn(command, args)
  hosts.push(host)
  await once(host.stdout, 'data')
  return host
}

const childrenOf = ({ pid }: { pid?: number | undefined }): Entry[] =>
  processes().filter(({ parent }) => parent === pid)

const supervisorOf = (host: ChildProcessWithoutNullStreams): Entry | undefined =>
  childrenOf(host).find(({ command }) => command.includes('change group'))

test('Supervisor: when the client is killed, its programs are gone within seconds', { skip: noProc }, async () => {
  const host = await startClient()
  const children = childrenOf(host)
  assert.equal(children.length, 3)
  host.kill('SIGKILL')
  for (const { group } of children) await groupGone(group)
})

test('Supervisor: when the client exits without closing anything, its programs are gone too', {
  skip: noProc,
}, async () => {
  const host = await startClient()
  const children = childrenOf(host)
  assert.equal(children.length, 3)
  host.stdin.write('exit')
  await once(host, 'exit')
  for (const { group } of children) await groupGone(group)
})

test('Supervisor: one that was killed is replaced, and the new one knows the programs of the old', {
  skip: noProc,
}, async () => {
  const host = await startClient()
  const killed = supervisorOf(host)
  process.kill(killed?.pid as number, 'SIGKILL')
  await until(() => ![undefined, killed?.pid].includes(supervisorOf(host)?.pid), 'another supervisor')
  const children = childrenOf(host)
  host.kill('SIGKILL')
  for (const { group } of children) await groupGone(group)
})

test('Supervisor: one serves all programs, ends with the last, and is started again when needed', {
  skip: noProc,
}, async () => {
  const before = childrenOf(process).length
  const open = (): ChildChannel => spawnChannel({ command: 'cat' }, { graceMs: 100 })
  for (let round = 0; round < 2; round++) {
    const [one, other] = [open(), open()]
    assert.equal(childrenOf(process).length, before + 3)
    await one.close()
    assert.equal(childrenOf(process).length, before + 2)
    await other.close()
    await until(() => childrenOf(process).length === before, 'the supervisor to end')
  }
})
