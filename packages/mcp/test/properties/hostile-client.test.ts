import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import fc from 'fast-check'
import { tracked } from '../no-leaks.ts'
import { type Heard, rawStdio } from '../raw-stdio.ts'

type Raw = ReturnType<typeof rawStdio>

// the second pair looks alike and is not the same
const ids = [1, 2, '1', '2', 0, ''] as const
type Id = string | number

/** A client that shook hands with a server whose tool waits until the test lets it go. */
async function greeted() {
  const raw = rawStdio('server')
  const waiting = new Map<string, () => void>()
  const patient = tracked(server({ name: 'patient', version: '1', onWarning: () => {}, onError: () => {} })).tool(
    'wait',
    {},
    ({ nonce }) => new Promise<string>((resolve) => waiting.set(String(nonce), () => resolve(String(nonce)))),
  )
  const talk = tracked(patient.serve(raw.channel))
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hostile', version: '1' } }
  raw.say({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params })
  await raw.heard.take()
  return { raw, waiting, talk }
}

/** Facts that the server must know at any time: the nonce of the call under each id that is being served. */
class Model {
  readonly serving = new Map<Id, string>()
  readonly expected: { id: Id; says: string }[] = []
  #calls = 0

  call(raw: Raw, id: Id): void {
    const nonce = `n${this.#calls++}`
    raw.say({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', arguments: { nonce } } })
    if (this.serving.has(id)) this.expected.push({ id, says: '-32600' })
    else this.serving.set(id, nonce)
  }

  release(id: Id, waiting: ReadonlyMap<string, () => void>): void {
    const nonce = this.serving.get(id)
    if (nonce === undefined) return
    this.serving.delete(id)
    waiting.get(nonce)?.()
    this.expected.push({ id, says: nonce })
  }

  cancel(raw: Raw, id: Id): void {
    raw.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    this.serving.delete(id)
  }
}

const nuisances: readonly unknown[] = [
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: '1', error: { code: 1, message: 'no' } },
  { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { toString: 1 } } },
  { jsonrpc: '2.0', method: 'notifications/cancelled' },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 5 } },
  { jsonrpc: '2.0', method: 'no/such/notice', params: { a: 1 } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

const says = ({ result, error }: Heard): string => result?.content?.[0]?.text ?? String(error?.code)

test('whatever a client says, each request gets one answer under its own id, and a cancelled one none', async () => {
  const step = fc.tuple(fc.constantFrom('call', 'release', 'cancel', 'nuisance'), fc.constantFrom(...ids), fc.nat())
  const play = async (steps: readonly (readonly [string, Id, number])[]): Promise<void> => {
    const { raw, waiting, talk } = await greeted()
    const model = new Model()
    for (const [move, id, number] of steps) {
      if (move === 'call') model.call(raw, id)
      else if (move === 'release') model.release(id, waiting)
      else if (move === 'cancel') model.cancel(raw, id)
      else raw.say(nuisances[number % nuisances.length])
      await setImmediate()
    }
    assert.equal(talk.live.serving, model.serving.size)
    for (const id of ids) model.release(id, waiting)
    await setImmediate()
    // whatever should not be heard would have been heard before the answer to this
    raw.say({ jsonrpc: '2.0', id: 'last', method: 'ping' })
    const heard: { id: Id; says: string }[] = []
    for (let next = await raw.heard.take(); next.id !== 'last'; next = await raw.heard.take())
      heard.push({ id: next.id, says: says(next) })
    const sorted = (list: { id: Id; says: string }[]): string[] => list.map((entry) => JSON.stringify(entry)).sort()
    assert.deepEqual(sorted(heard), sorted(model.expected))
    raw.hangUp()
    await talk.peer.whenClosed
    assert.deepEqual(talk.live, { pending: 0, serving: 0, watching: 0 })
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), play), { numRuns: 200 })
})

test('a server that is flooded serves what it can, refuses the rest, and forgets both', async () => {
  const { raw, waiting, talk } = await greeted()
  const flood = Array.from({ length: 1_500 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'wait', arguments: { nonce: String(id) } },
  }))
  raw.say(...flood)
  const refused = flood.length - 128 - 1_000
  for (let n = 0; n < refused; n++) assert.equal((await raw.heard.take()).error.code, -32603)
  assert.equal(talk.live.serving, 1_128)
  const answered = new Set<Id>()
  while (answered.size < 1_128) {
    for (const [nonce, release] of waiting) {
      waiting.delete(nonce)
      release()
      const { id, result } = await raw.heard.take()
      assert.equal(result.content[0]?.text, String(id))
      answered.add(id)
    }
  }
  assert.equal(talk.live.serving, 0)
  await raw.channel.close()
})
