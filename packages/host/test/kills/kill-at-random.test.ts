import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallToolResult } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { ApiRefusal } from '../../src/api/client.ts'
import { textOf } from '../gateway/running-host.ts'
import { CallingProcess } from './calling-process.ts'
import { acceptServer, type Killable, type KillableHome, killableHome } from './killable.ts'

const rounds = Number(process.env.TRUNKLINE_KILL_ROUNDS ?? 6)
const longestMs = 300
const victims = ['host', 'server', 'both'] as const

/** Calls and decisions that the host acknowledged; all of it must be true after every kill. */
class Acknowledged {
  readonly caller: CallingProcess
  readonly calls: string[] = []
  /** Clients that were made, with their tokens. */
  readonly clients = new Map<string, string>()
  /** Clients for which a person allowed the tool `send` for this session. */
  readonly allowed = new Set<string>()
  /** Answers that were wrong, and not only missing. */
  readonly wrong: unknown[] = []

  constructor(caller: CallingProcess) {
    this.caller = caller
  }

  /** Resolves when a client of a round is there. */
  async begun(round: number): Promise<void> {
    await until(() => [...this.clients.keys()].some((name) => name.startsWith(`worker-${round}-`)))
  }

  /** Calls a tool of the journal with the token of a client. */
  call({ url }: Killable, token: string, tool: 'write' | 'send', nonce: string): Promise<CallToolResult> {
    return this.caller.call({ url, token, tool: `journal__${tool}`, arguments: { nonce } })
  }
}

it(`after kill -9 of host, server and both at ${rounds} random instants nothing acknowledged is lost`, async () => {
  await using home = killableHome()
  await using caller = new CallingProcess()
  const known = new Acknowledged(caller)
  let host = await home.start()
  await acceptServer(host.api)
  // one decision that is certain to be acknowledged
  await decide(host, known, 'client-first', new AbortController().signal)
  for (let round = 0; round < rounds; round += 1) {
    const victim = victims[round % victims.length] ?? 'host'
    const stop = new AbortController()
    const load = [...[1, 2, 3].map((worker) => call(host, known, `${round}-${worker}`, stop.signal))]
    load.push(decide(host, known, `client-${round}`, stop.signal))
    // from when there is something to lose
    await known.begun(round)
    await wait(Math.random() * longestMs)
    const pid = await serverPid(host)
    if (victim !== 'host' && pid !== undefined) process.kill(pid, 'SIGKILL')
    if (victim !== 'server') {
      await host.kill()
      stop.abort()
      await Promise.all(load)
      host = await home.start()
    } else {
      await oneMore(host, known, `${round}-after`)
      stop.abort()
      await Promise.all(load)
    }
    assert.deepEqual(known.wrong, [])
    await check(host, home, known)
  }
  assert.ok(known.calls.length > 0 && known.clients.size > 0 && known.allowed.size > 0, 'some of each was acknowledged')
})

async function tokenOf(host: Killable, known: Acknowledged, name: string): Promise<string> {
  const { token } = await host.api.call('addClient', { name })
  known.clients.set(name, token)
  return token
}

/** Calls one after the other, until the host is gone or the round is over. */
async function call(host: Killable, known: Acknowledged, worker: string, signal: AbortSignal): Promise<void> {
  try {
    const token = await tokenOf(host, known, `worker-${worker}`)
    for (let count = 0; !signal.aborted; count += 1) {
      const nonce = `${worker}-${count}`
      const { isError } = await known.call(host, token, 'write', nonce)
      if (!isError) known.calls.push(nonce)
    }
  } catch (error) {
    noteWrong(error, known)
  }
}

/** A call wants to be allowed, and a person allows it for the session. */
async function decide(host: Killable, known: Acknowledged, name: string, signal: AbortSignal): Promise<void> {
  try {
    const calling = known.call(host, await tokenOf(host, known, name), 'send', name)
    calling.catch(() => {})
    while (!signal.aborted) {
      const { items } = await host.api.call('inbox')
      const question = items.find(({ kind, principal }) => kind === 'call' && principal === name)
      if (!question) {
        await wait(10)
        continue
      }
      await host.api.call('answer', { id: question.id, choice: 'session', door: 'terminal' })
      const result = await calling
      // its server was killed under it
      if (result.isError) return
      if (textOf(result) === name) known.allowed.add(name)
      else known.wrong.push(result)
      return
    }
  } catch (error) {
    noteWrong(error, known)
  }
}

/** A caller hears that the host is gone, and the outcome of its call is unknown; a host that refuses is a failure. */
function noteWrong(error: unknown, known: Acknowledged): void {
  if (error instanceof ApiRefusal && error.status === 403) known.wrong.push(error)
}

/** A server that was killed is back by the next call, or says when it is tried again. */
async function oneMore(host: Killable, known: Acknowledged, nonce: string): Promise<void> {
  const token = await tokenOf(host, known, `worker-${nonce}`)
  for (let isError: boolean | undefined = true, count = 0; isError; count += 1) {
    const result = await known.call(host, token, 'write', `${nonce}-${count}`)
    isError = result.isError
    if (isError) assert.match(textOf(result), /SIGKILL|closed|tried again|[Cc]annot/)
    else known.calls.push(`${nonce}-${count}`)
  }
}

async function serverPid({ api }: Killable): Promise<number | undefined> {
  const { items } = await api.call('servers')
  return items.find(({ name }) => name === 'journal')?.pid
}

async function check(host: Killable, home: KillableHome, known: Acknowledged): Promise<void> {
  const { api } = host
  const { lines, broken } = await api.call('verify')
  assert.equal(broken, undefined)
  assert.ok(lines > 0)
  const done = home.done()
  assert.equal(new Set(done).size, done.length, 'nothing was done twice')
  for (const nonce of known.calls) assert.ok(done.includes(nonce), `${nonce} was acknowledged and not done`)
  const { items } = await api.call('servers')
  assert.equal(items[0]?.isAccepted, true)
  const clients = (await api.call('clients')).items.map(({ name }) => name)
  for (const name of known.clients.keys()) assert.ok(clients.includes(name), `${name} was made and is gone`)
  const last = [...known.allowed].at(-1)
  if (last === undefined) return
  const { isError, content } = await known.call(host, known.clients.get(last) ?? '', 'send', 'again')
  assert.ok(!isError || !/approval/.test(textOf({ content })), `${last} was allowed and is asked again`)
}
