import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Caller, Fields, LogMessage } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { OpenCall } from './open-call.ts'
import { type ServerAsking, ServerAsks } from './server-asks.ts'

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
  const local = { elicit: (params: Fields, { byCaller }: ServerAsking) => byCaller?.(params) }
  const asks = new ServerAsks('one', local as never, {} as never)
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

it('what fits more than one call is never guessed: a model of the host answers it, and the log of the server has it', async () => {
  const sampled: unknown[] = []
  const logged: unknown[] = []
  const local = {
    sample: async (params: Fields, { serverKey, call, byCaller }: ServerAsking) => {
      if (byCaller) return byCaller(params)
      sampled.push([serverKey, call])
      return { model: 'of the host' }
    },
    log: (server: string, { data }: LogMessage) => logged.push([server, data]),
  }
  const asks = new ServerAsks('one', local as never, {} as never)
  const told: unknown[] = []
  const callOf = (id: string) => {
    const caller = { capabilities: { sampling: {} } } as unknown as Caller
    const ask = async () => ({ model: `of ${id}` })
    const log = ({ data }: LogMessage) => told.push([id, data])
    const request = {
      caller,
      method: 'tools/call',
      params: {},
      signal: new AbortController().signal,
      ctx: {},
      ask,
      log,
    }
    const call = new OpenCall(id, request as unknown as RelayRequest)
    return { call, over: call.attach(request as unknown as RelayRequest) }
  }
  const [ann, bob] = [callOf('ann'), callOf('bob')]
  const message = (data: string): LogMessage => ({ level: 'info', data })
  const sample = () => asks.answer('sampling/createMessage', { messages: [] })
  await asks.starting(ann.call, async () => {
    assert.deepEqual(await sample(), { model: 'of ann' })
    asks.log(message('for ann'), undefined)
    await asks.starting(bob.call, async () => {
      assert.deepEqual(await sample(), { model: 'of the host' })
      asks.log(message('for one of both'), undefined)
      asks.log(message('for bob, as its server says'), bob.call)
    })
  })
  asks.log(message('for nobody'), undefined)
  assert.deepEqual(sampled, [['one', undefined]])
  assert.deepEqual(logged, [
    ['one', 'for one of both'],
    ['one', 'for nobody'],
  ])
  assert.deepEqual(told, [
    ['ann', 'for ann'],
    ['bob', 'for bob, as its server says'],
  ])
  for (const { call, over } of [ann, bob]) {
    call.start(Promise.resolve({}))
    await over
  }
})

const form = (name: string, schema: Fields = { type: 'string' }) => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' }, [name]: schema } },
})

it('a form that asks for a secret is refused, whoever would have filled it in; a page and other forms are not', async () => {
  const asked: string[] = []
  const local = {
    elicit: async ({ mode }: Fields) => {
      asked.push(String(mode))
      return { action: 'decline' }
    },
  }
  const asks = new ServerAsks('one', local as never, {} as never)
  const secrets: readonly Fields[] = [
    ...['password', 'apiKey', 'GITHUB_TOKEN', 'client-secret'].map((name) => form(name)),
    form('value', { type: 'string', title: 'Your password' }),
    form('value', { type: 'string', format: 'password' }),
    form('token', {}),
  ]
  for (const params of secrets) {
    await assert.rejects(
      asks.answer('elicitation/create', params),
      /^RpcError: Cannot ask for "\S+" in a form: .*mode "url"$/,
    )
  }
  assert.deepEqual(asked, [])
  const fine: readonly Fields[] = [
    form('name'),
    form('project_key'),
    form('max_tokens', { type: 'integer' }),
    form('token', { type: 'boolean' }),
    form('auth', { type: 'string', enum: ['none', 'basic'] }),
    { message: 'Please', requestedSchema: 'nonsense' },
    { mode: 'url', message: 'Please', url: 'https://example.com/?token' },
  ]
  for (const params of fine) await asks.answer('elicitation/create', params)
  assert.deepEqual(asked, ['form', 'form', 'form', 'form', 'form', 'form', 'url'])
})
