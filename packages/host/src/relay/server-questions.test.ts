import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller, Fields, LogMessage } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { until } from '../../../../tools/lib/until.ts'
import { CallsAtServer } from './calls-at-server.ts'
import { deferred } from './deferred.ts'
import { type CallRound, OpenCall } from './open-call.ts'
import { type LocalAnswers, type ServerAsking, ServerQuestions } from './server-questions.ts'

const meta = {
  'dev.trunkline/untrusted': 'forged',
  'io.modelcontextprotocol/serverInfo': {},
  progressToken: 1,
  'example.com/kept': 2,
}
const kept = { 'example.com/kept': 2 }

/** The calls under way at a server, and the answers to its questions by some of the local ones. */
function serverOne(local: object) {
  const calls = new CallsAtServer('one', {} as never)
  return { calls, questions: new ServerQuestions('one', local as LocalAnswers, calls) }
}

it('requests, logs and answers go on without members that belong to one hop', async () => {
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
  const local = { log() {}, elicit: (params: Fields, { byCaller }: ServerAsking) => byCaller?.(params) }
  const { questions } = serverOne(local)
  const over = call.attach(request)
  const params = { message: 'Who?', requestedSchema: {}, _meta: meta }
  const answer = await questions.answer('elicitation/create', params, { context: call, original: params })
  assert.deepEqual(answer, { action: 'decline', _meta: kept })
  assert.deepEqual(asked[0]?._meta, kept)
  questions.log({ level: 'info', data: 'x', _meta: meta } as LogMessage, call)
  assert.deepEqual((logged[0] as unknown as Fields)._meta, kept)
  call.start(Promise.resolve({}))
  await over
})

it("a request that fits more than one call is never guessed: a model of the host answers, and the server's log has it", async () => {
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
  const { calls, questions } = serverOne(local)
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
  const sample = () => questions.answer('sampling/createMessage', { messages: [] })
  await calls.whileStarting(ann.call, async () => {
    assert.deepEqual(await sample(), { model: 'of ann' })
    questions.log(message('for ann'), undefined)
    await calls.whileStarting(bob.call, async () => {
      assert.deepEqual(await sample(), { model: 'of the host' })
      questions.log(message('for one of both'), undefined)
      questions.log(message('for bob, as its server says'), bob.call)
    })
  })
  questions.log(message('for nobody'), undefined)
  assert.deepEqual(sampled, [['one', undefined]])
  // the log of the server has all of them
  assert.deepEqual(logged, [
    ['one', 'for ann'],
    ['one', 'for one of both'],
    ['one', 'for bob, as its server says'],
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

describe('a request of a server while one caller has two calls under way', () => {
  const session = {}
  const question = { message: 'Who?', requestedSchema: {} }
  const local = {
    elicit: (params: Fields, { byCaller, target }: ServerAsking) => {
      assert.equal(target, undefined)
      return byCaller?.(params)
    },
  }

  /** A call of that caller; `ask` answers it within a request, `rounds` in the next one. */
  const callOf = (id: string, more: Partial<CallRound> = {}) => {
    const stop = new AbortController()
    const caller = { capabilities: { elicitation: { form: {} } }, principal: 'editor' } as unknown as Caller
    const request = { caller, session, method: 'tools/call', signal: stop.signal, ctx: {}, ...more } as CallRound
    const call = new OpenCall(id, request)
    const over = call.attach(request)
    over.catch(() => {})
    return { call, over, request, stop }
  }
  const asksWith = async (one: OpenCall, other: OpenCall, during: (questions: ServerQuestions) => Promise<void>) => {
    const { calls, questions } = serverOne(local)
    await calls.whileStarting(one, () => calls.whileStarting(other, () => during(questions)))
  }

  it('goes on in the other call when its first one is cancelled', async () => {
    const asked: string[] = []
    const ask = (id: string, answer: Promise<Fields>) => () => {
      asked.push(id)
      return answer
    }
    const never = deferred<Fields>()
    const first = callOf('first', { ask: ask('first', never.promise) })
    const second = callOf('second', { ask: ask('second', Promise.resolve({ action: 'decline' })) })
    await asksWith(first.call, second.call, async (questions) => {
      const answer = questions.answer('elicitation/create', question)
      await until(() => asked.length === 1)
      const cancelled = new DOMException('The request was cancelled', 'AbortError')
      first.stop.abort(cancelled)
      never.reject(cancelled)
      assert.deepEqual(await answer, { action: 'decline' })
      assert.deepEqual(asked, ['first', 'second'])
    })
  })

  it('is asked once, also when the call it was asked in ends before the caller comes back with the answer', async () => {
    const required: unknown[] = []
    const rounds = { given: () => undefined, require: async (questions: object) => void required.push(questions) }
    const first = callOf('first', { rounds: rounds as never })
    const second = callOf('second', { rounds: rounds as never })
    await asksWith(first.call, second.call, async (questions) => {
      const answer = questions.answer('elicitation/create', question)
      await first.over
      first.call.start(Promise.resolve({ content: [] }))
      await until(() => first.call.isOver)
      const [key = ''] = Object.keys(required[0] as object)
      const resumed = { state: 'first', answers: { [key]: { action: 'decline' } } }
      const again = { ...first.request, rounds: { ...rounds, resumed } } as unknown as CallRound
      assert.deepEqual(await first.call.attach(again), { content: [] })
      assert.deepEqual(await answer, { action: 'decline' })
      assert.equal(required.length, 1)
    })
  })

  it('is not asked of another connection of the same client, which is another caller', async () => {
    const first = callOf('first')
    const second = callOf('second', { session: {} })
    const { calls, questions } = serverOne({ elicit: (_: Fields, { call }: ServerAsking) => ({ call }) })
    await calls.whileStarting(first.call, () =>
      calls.whileStarting(second.call, async () =>
        assert.deepEqual(await questions.answer('elicitation/create', question), { call: undefined }),
      ),
    )
  })
})

it('a request within a call is withdrawn when its caller cancels that call, whatever the server does', async () => {
  const caller = { capabilities: {} } as unknown as Caller
  const call = new OpenCall('call', { caller, method: 'tools/call', ctx: {} } as unknown as RelayRequest)
  const withdrawn = deferred<Fields>()
  const local = {
    elicit: (_: Fields, { signal }: ServerAsking) => {
      signal?.addEventListener('abort', () => withdrawn.resolve({ action: 'cancel' }))
      return withdrawn.promise
    },
  }
  const { calls, questions } = serverOne(local)
  await calls.whileStarting(call, async () => {
    const { signal } = new AbortController()
    const answer = questions.answer('elicitation/create', form('name'), { context: undefined, signal })
    call.cancel(undefined)
    assert.deepEqual(await answer, { action: 'cancel' })
  })
})

const form = (name: string, schema: Fields = { type: 'string' }) => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' }, [name]: schema } },
})

it('a form that asks for a secret is refused before any caller sees it; a page and other forms are not', async () => {
  const asked: string[] = []
  const local = {
    elicit: async ({ mode }: Fields) => {
      asked.push(String(mode))
      return { action: 'decline' }
    },
  }
  const { questions } = serverOne(local)
  const secrets: readonly Fields[] = [
    ...['password', 'apiKey', 'GITHUB_TOKEN', 'client-secret'].map((name) => form(name)),
    form('value', { type: 'string', title: 'Your password' }),
    form('value', { type: 'string', format: 'password' }),
    form('token', {}),
  ]
  for (const params of secrets) {
    await assert.rejects(
      questions.answer('elicitation/create', params),
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
  for (const params of fine) await questions.answer('elicitation/create', params)
  assert.deepEqual(asked, ['form', 'form', 'form', 'form', 'form', 'form', 'url'])
})
