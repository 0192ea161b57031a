/** Rates, proofs and the state of the store, for all processes of a cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { server } from '@trunkline/mcp'
import { memoryCluster } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { tasks } from '@trunkline/mcp/tasks'
import { quiet } from '../fixtures/quiet.ts'
import { openSession, post } from '../http/raw.ts'
import { turnsUntil } from '../soon.ts'
import { processes } from './processes.ts'

const asked = (method: string, params: object) => ({ jsonrpc: '2.0', id: method, method, params })
const call = (name: string) => asked('tools/call', { name, arguments: {} })

test('cluster: calls are counted for all processes together', async () => {
  const limits = { callsPerMinute: { calls: 1, burst: 4 } }
  await using all = await processes(() => server({ name: 'weather', ...quiet, limits }).tool('now', {}, () => 'now'))
  await using mcp = await all.connect()
  for (const _ of [1, 2, 3, 4]) await mcp.tools.call('now', {})
  await assert.rejects(mcp.tools.call('now', {}), /callsPerMinute|rate|per minute/i)
})

/** Stores whose engine can go away. */
function mortal() {
  const stores = memoryCluster()
  let isAway = false
  const guarded = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]) => {
          if (isAway) throw new Error('connection refused')
          return Reflect.apply(member, target, given)
        }
      },
    })
  const { sessions, events, limiter, proofs, presence, inbox, tasks: kept } = stores
  return {
    stores: {
      ...stores,
      sessions: guarded(sessions),
      events: guarded(events),
      limiter: guarded(limiter),
      proofs: guarded(proofs),
      presence: guarded(presence),
      inbox: guarded(inbox),
      ...(kept && { tasks: guarded(kept) }),
    },
    away(is: boolean) {
      isAway = is
    },
  }
}

test('cluster: while the store is away sessions get 503, stateless calls go on, and it heals by itself (rule 10)', async () => {
  const { stores, away } = mortal()
  const weather = server({ name: 'weather', ...quiet, extensions: [tasks()] })
    .tool('now', {}, () => 'now')
    .tool('open', { limits: { callsPerMinute: { calls: 1, burst: 1, storeAway: 'open' } } }, () => 'open')
    .tool('paced', { limits: { callsPerMinute: 100 } }, () => 'paced')
  await using listening = await serveHttp(weather, { cluster: { stores, leaseMs: 60, pollMs: 20 }, drainMs: 1 })
  const at = (request: Request): Promise<Response> => fetch(new Request(listening.url, request))
  const handler = Object.assign((request: Request) => at(request), { handle: at, close: async () => {} })
  const probe = async (path: string) => {
    const response = await fetch(new URL(path, listening.url))
    return `${response.status} ${await response.text()}`
  }
  const session = await openSession(handler, '2025-11-25')
  assert.equal((await post(handler, call('now'), session)).status, 200)
  away(true)
  const refused = await post(handler, call('now'), session)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.equal((await post(handler, asked('initialize', opening))).status, 503)
  const stateless = await post(handler, withMeta(call('now')), statelessHeaders('now'))
  assert.match(stateless.text, /now/)
  assert.match((await post(handler, withMeta(call('paced')), statelessHeaders('paced'))).text, /does not answer/)
  // this process counts alone
  assert.match((await post(handler, withMeta(call('open')), statelessHeaders('open'))).text, /"text":"open"/)
  assert.match((await post(handler, withMeta(call('open')), statelessHeaders('open'))).text, /1 calls per minute/)
  const aboutTask = await post(handler, withMeta(asked('tasks/get', { taskId: 'x' })), taskHeaders)
  assert.deepEqual([aboutTask.status, aboutTask.headers.get('retry-after')], [503, '1'])
  await turnsUntil(async () => (await probe('/readyz')).startsWith('503 the store'), 'the process not to be ready')
  assert.equal(await probe('/healthz'), '200 ok\n')
  away(false)
  await turnsUntil(async () => (await probe('/readyz')) === '200 ok\n', 'the process to be ready')
  assert.equal((await post(handler, call('now'), session)).status, 200)
  listening.retire()
  assert.equal(await probe('/readyz'), '503 shutting down\n')
  assert.equal((await post(handler, call('now'), session)).status, 200, 'what still comes is answered')
})

const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

function withMeta<Asked extends { readonly params: object }>(message: Asked) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': opening.clientInfo,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  return { ...message, params: { ...message.params, _meta } }
}

const taskHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tasks/get', 'mcp-name': 'x' }

const statelessHeaders = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
})
