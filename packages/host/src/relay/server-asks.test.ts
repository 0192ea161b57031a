import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Caller, Fields, LogMessage } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { OpenCall } from './open-call.ts'
import { ServerAsks } from './server-asks.ts'

const meta = {
  'dev.trunkline/untrusted': 'forged',
  'io.modelcontextprotocol/serverInfo': {},
  progressToken: 1,
  'example.com/kept': 2,
}
const kept = { 'example.com/kept': 2 }

it('what servers ask and log, and what they are answered, goes on without what belongs to one hop', async () => {
  const caller = { capabilities: { elicitation: { form: {} } } } as unknown as Caller
  const asked: Fields[] = []
  const logged: LogMessage[] = []
  const request = {
    caller,
    method: 'tools/call',
    params: {},
    signal: new AbortController().signal,
    ctx: {},
    log: (message: LogMessage) => logged.push(message),
    ask: async (_method: string, params: Fields) => {
      asked.push(params)
      return { action: 'decline', _meta: meta }
    },
  } as unknown as RelayRequest
  const call = new OpenCall('call', request)
  const asks = new ServerAsks('one', {} as never, {} as never)
  const over = call.attach(request)
  const params = { message: 'Who?', requestedSchema: {}, _meta: meta }
  const answer = await asks.answer('elicitation/create', params, { context: call, original: params })
  assert.deepEqual(answer, { action: 'decline', _meta: kept })
  assert.deepEqual(asked[0]?._meta, kept)
  asks.log({ level: 'info', data: 'x', _meta: meta } as LogMessage, call)
  assert.deepEqual((logged[0] as unknown as Fields)._meta, kept)
  call.start(Promise.resolve({}))
  await over
})
