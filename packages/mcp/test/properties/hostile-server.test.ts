import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type CallToolResult, type Client, connect } from '@trunkline/mcp'
import fc from 'fast-check'
import { tracked } from '../no-leaks.ts'
import { type Heard, rawStdio } from '../raw-stdio.ts'

const calls = 5

type Raw = ReturnType<typeof rawStdio>

interface Scene {
  readonly raw: Raw
  readonly requests: readonly Heard[]
  readonly stops: readonly AbortController[]
}

/** One thing a server or its user may do about call `at`, and what that call must come to if it is still open. */
interface Move {
  readonly outcome?: 'result' | 'refused' | 'unreadable' | 'aborted'
  make(scene: Scene, at: number): void
}

const idOf = ({ requests }: Scene, at: number): number => requests[at]?.id as number
const result = (at: number) => ({ content: [{ type: 'text', text: `answer ${at}` }] })
const say =
  (line: (id: number, at: number) => unknown): Move['make'] =>
  (scene, at) =>
    scene.raw.say(line(idOf(scene, at), at))
const told = (method: string, params: unknown) => ({ jsonrpc: '2.0', method, params })

const moves: { readonly [name: string]: Move } = {
  answer: { outcome: 'result', make: say((id, at) => ({ jsonrpc: '2.0', id, result: result(at) })) },
  refuse: { outcome: 'refused', make: say((id) => ({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } })) },
  abort: { outcome: 'aborted', make: ({ stops }, at) => stops[at]?.abort(new Error(`abort ${at}`)) },
  'result and error': {
    outcome: 'unreadable',
    make: say((id, at) => ({ jsonrpc: '2.0', id, result: result(at), error: { code: 1, message: 'no' } })),
  },
  'result that is a list': { outcome: 'unreadable', make: say((id) => ({ jsonrpc: '2.0', id, result: [] })) },
  'error without a code': {
    outcome: 'unreadable',
    make: say((id) => ({ jsonrpc: '2.0', id, error: { message: '' } })),
  },
  'another version': { outcome: 'unreadable', make: say((id, at) => ({ jsonrpc: '1.0', id, result: result(at) })) },
  'result of another tool': {
    outcome: 'unreadable',
    make: say((id) => ({ jsonrpc: '2.0', id, result: { tools: [] } })),
  },
  'id as text': { make: say((id, at) => ({ jsonrpc: '2.0', id: String(id), result: result(at + 100) })) },
  'id of nobody': { make: say((id, at) => ({ jsonrpc: '2.0', id: id + 1_000, result: result(at + 100) })) },
  'id below zero': { make: say((id, at) => ({ jsonrpc: '2.0', id: -1 - id, result: result(at + 100) })) },
  'id that is no integer': { make: say((id, at) => ({ jsonrpc: '2.0', id: id + 0.5, result: result(at + 100) })) },
  'id null': { make: say((_, at) => ({ jsonrpc: '2.0', id: null, result: result(at + 100) })) },
  'error of nobody': { make: say(() => ({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } })) },
  'no id': { make: say((_, at) => ({ jsonrpc: '2.0', result: result(at + 100) })) },
  'nothing but an id': { make: say((id) => ({ jsonrpc: '2.0', id })) },
  'request under the same id': { make: say((id) => ({ jsonrpc: '2.0', id, method: 'ping' })) },
  'request of something unknown': { make: say((id) => ({ jsonrpc: '2.0', id, method: 'no/such' })) },
  'cancel of a call of ours': { make: say((id) => told('notifications/cancelled', { requestId: id })) },
  'cancel without an id': { make: say(() => told('notifications/cancelled', {})) },
  progress: { make: say((id) => told('notifications/progress', { progressToken: id, progress: 1 })) },
  'progress of nobody': { make: say((id) => told('notifications/progress', { progressToken: `${id}`, progress: 1 })) },
  'progress that is none': {
    make: say((id) => told('notifications/progress', { progressToken: id, progress: 'far' })),
  },
  'progress without params': { make: say(() => ({ jsonrpc: '2.0', method: 'notifications/progress' })) },
  noise: { make: say(() => 'Listening on port 3000') },
  'half an answer': { outcome: 'unreadable', make: say((id) => `{"jsonrpc":"2.0","id":${id},"result":`) },
  batch: { make: say((id, at) => [{ jsonrpc: '2.0', id: id + 1_000, result: result(at + 100) }, 5]) },
  'empty batch': { make: say(() => '[]') },
  'line of spaces': { make: say(() => '   ') },
}

async function greeted(raw: Raw): Promise<Client> {
  const connecting = connect(raw.channel, { revisions: ['2025-11-25'], onWarning: () => {} })
  const { id } = await raw.heard.take()
  const serverInfo = { name: 'hostile', version: '1' }
  raw.say({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } })
  const client = tracked(await connecting)
  await raw.heard.take()
  return client
}

const describe = (settled: PromiseSettledResult<CallToolResult>): string => {
  if (settled.status === 'fulfilled') return `result ${(settled.value.content as Heard['result']['content'])[0]?.text}`
  const { code, message } = settled.reason
  if (code === 1) return 'refused'
  if (code === 'InvalidResponse') return 'unreadable'
  return code === 'Closed' ? 'closed' : message
}

const expected = (outcome: Move['outcome'] | 'closed', at: number): string => {
  if (outcome === 'result') return `result answer ${at}`
  return outcome === 'aborted' ? `abort ${at}` : (outcome as string)
}

test('whatever a server says, each call settles once, by the first word that is about it, and nothing is left', async () => {
  const script = fc.array(fc.tuple(fc.constantFrom(...Object.keys(moves)), fc.nat(calls - 1)), { maxLength: 30 })
  const play = async (steps: readonly (readonly [string, number])[]): Promise<void> => {
    const raw = rawStdio('client')
    const client = await greeted(raw)
    const stops = Array.from({ length: calls }, () => new AbortController())
    const open = stops.map(({ signal }, at) => client.tools.call(`tool ${at}`, {}, { signal, onProgress: () => {} }))
    const settled = Promise.allSettled(open)
    const requests: Heard[] = []
    for (const _ of open) requests.push(await raw.heard.take())
    const outcomes: (Move['outcome'] | 'closed')[] = Array(calls).fill('closed')
    for (const [name, at] of steps) {
      const move = moves[name] as Move
      move.make({ raw, requests, stops }, at)
      await setImmediate()
      if (move.outcome && outcomes[at] === 'closed') outcomes[at] = move.outcome
    }
    assert.equal(client.live.pending, outcomes.filter((outcome) => outcome === 'closed').length)
    await client.close()
    assert.deepEqual((await settled).map(describe), outcomes.map(expected))
    assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
  }
  await fc.assert(fc.asyncProperty(script, play), { numRuns: 200 })
})
