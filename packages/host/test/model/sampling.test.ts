import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, type ClientOptions, RpcError } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import type { Question } from '../../src/inbox/question.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import type { RunHostOptions, RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person, questionOf } from '../run/person.ts'
import { providerKey, type ScriptedProvider, type ScriptedReply, scriptedProvider } from './scripted-provider.ts'

const program = programFile(new URL('../programs/sampler.ts', import.meta.url))

interface Asking {
  readonly provider?: 'anthropic' | 'compatible'
  /** Revisions that have a server of their own, beside the one that speaks all. */
  readonly revisions?: readonly string[]
  readonly settings?: object
  /** Further models of the same provider. */
  readonly more?: { readonly [name: string]: object }
  readonly run?: Partial<RunHostOptions>
}

type Calling = ClientOptions & { readonly name?: string; readonly server?: string }

const serverOf = (revision: string) => `thinker-${revision}`

/** A host with a model and servers that ask for one. */
async function askingHost(options: Asking = {}) {
  const { provider: kind = 'compatible', revisions = [], settings = {}, more = {}, run = {} } = options
  const provider = await scriptedProvider()
  const ann = person()
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const thinker = (...args: readonly string[]) => ({ command: process.execPath, args: [program, ...args], env })
  ann.configure({
    mcpServers: {
      thinker: thinker(),
      ...Object.fromEntries(revisions.map((revision) => [serverOf(revision), thinker(revision)])),
    },
    models: Object.fromEntries(
      Object.entries({ best: { name: 'scripted-1' }, ...more }).map(([name, entry]) => [
        name,
        { provider: kind, url: provider.url, key: `\${KEY}`, ...entry },
      ]),
    ),
    ...settings,
  })
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, KEY: providerKey } }
  const running = await ann.run({ machine, ...run })
  return {
    provider,
    running,
    /** A caller of one of the servers, before a provider with this script. */
    async asking(replies: readonly ScriptedReply[], { name = 'editor', server = 'thinker', ...caller }: Calling = {}) {
      provider.begin(...replies)
      if (!running.host.isAccepted(server)) {
        await running.host.accept(server)
        await running.host.catalogue.classify(server, 'think', 'reads')
      }
      const mcp = await callerOf(running, name, caller)
      return { provider, running, mcp, [Symbol.asyncDispose]: () => mcp.close() }
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      await provider[Symbol.asyncDispose]()
      ann[Symbol.dispose]()
    },
  }
}

/** A host for one test, and a caller. */
async function asking(replies: readonly ScriptedReply[], options?: Asking) {
  const host = await askingHost(options)
  const at = await host.asking(replies)
  return {
    ...at,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    },
  }
}

/** A host for all tests of a suite, whose callers have names of their own. */
function sharedHost(options?: Asking): () => Awaited<ReturnType<typeof askingHost>> {
  let host: Awaited<ReturnType<typeof askingHost>> | undefined
  before(async () => {
    host = await askingHost(options)
  })
  after(() => host?.[Symbol.asyncDispose]())
  return () => host ?? assert.fail('It has not started')
}

const allowed = { policy: { allow: ['thinker*:@sample'] } }

interface Thinking {
  readonly server?: string
  readonly signal?: AbortSignal
}

async function think(mcp: Client, request: object = {}, { server = 'thinker', ...options }: Thinking = {}) {
  try {
    const result = await mcp.tools.call(`${server}__think`, { request }, options)
    // a server that was slow to say its revision is spoken to in an older one, and fails in words
    return result.isError ? { error: textOf(result) } : JSON.parse(textOf(result))
  } catch (error) {
    if (error instanceof RpcError) return { error: error.message }
    throw error
  }
}

const settle = (running: RunningHost, { id }: Question, choice: 'once' | 'session' | 'refuse', more: object = {}) =>
  running.host.inbox.answer(id, { choice, by: 'terminal', ...more }, { isLocal: true })

const bodyOf = ({ seen }: ScriptedProvider, at = 0) => seen[at]?.body as { readonly [field: string]: unknown }

describe('sampling by the model of the host', () => {
  const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
  const hosts = {
    compatible: sharedHost({ settings: allowed, revisions, more: { small: { name: 'small-1', speed: 1 } } }),
    anthropic: sharedHost({ provider: 'anthropic', settings: allowed }),
  }

  for (const revision of revisions) {
    it(`answers a server of ${revision}, with system prompt, limits and stop reason`, async () => {
      const server = serverOf(revision)
      await using at = await hosts.compatible().asking([{ text: ['He', 'llo'], stop: 'length' }], { server })
      const request = { systemPrompt: 'Be kind', temperature: 0, stopSequences: ['END'] }
      const answer = await think(at.mcp, request, { server })
      assert.deepEqual(answer, {
        role: 'assistant',
        content: { type: 'text', text: 'Hello' },
        model: 'scripted-1',
        stopReason: 'maxTokens',
      })
      const body = bodyOf(at.provider)
      assert.deepEqual([body.max_tokens, body.temperature, body.stop], [50, 0, ['END']])
      assert.deepEqual(body.messages, [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'Say hello' },
      ])
    })
  }

  it('gives Anthropic images, and says that a stop sequence ended it', async () => {
    await using at = await hosts.anthropic().asking([{ text: ['a cat'], stop: 'stop_sequence' }])
    const content = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
    const answer = await think(at.mcp, { messages: [{ role: 'user', content }] })
    assert.equal(answer.stopReason, 'stopSequence')
    assert.match(JSON.stringify(bodyOf(at.provider).messages), /"media_type":"image\/png","data":"iVBORw0KGgo="/)
  })

  it('gives sound where the endpoint takes it, and says so where it does not', async () => {
    const content = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }
    await using one = await hosts.compatible().asking([{ text: ['a song'] }])
    assert.equal((await think(one.mcp, { messages: [{ role: 'user', content }] })).content.text, 'a song')
    assert.match(JSON.stringify(bodyOf(one.provider).messages), /"input_audio":\{"data":"UklGRg=="/)
    await using other = await hosts.anthropic().asking([])
    const { error } = await think(other.mcp, { messages: [{ role: 'user', content }] })
    assert.match(error, /Cannot sample for server "thinker": .*audio/i)
  })

  for (const provider of ['anthropic', 'compatible'] as const) {
    it(`lets the model call tools of the request, whatever they are called (${provider})`, async () => {
      const calls = [
        { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
        { id: 'c2', name: 'sky_color_v2_966166b5', arguments: {} },
      ]
      await using at = await hosts[provider]().asking([{ calls }, { text: ['Rain'] }])
      const tools = ['weather', 'sky/color v2'].map((name) => ({ name, inputSchema: { type: 'object' } }))
      const first = await think(at.mcp, { tools, toolChoice: { mode: 'required' } })
      assert.equal(first.stopReason, 'toolUse')
      assert.deepEqual(first.content, [
        { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'c2', name: 'sky/color v2', input: {} },
      ])
      assert.match(JSON.stringify(bodyOf(at.provider).tool_choice), /any|required/)
      const results = first.content.map(({ id }: { id: string }) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: `result of ${id}` }],
      }))
      const messages = [
        { role: 'user', content: { type: 'text', text: 'Weather?' } },
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ]
      const second = await think(at.mcp, { tools, messages })
      assert.deepEqual(second.content, { type: 'text', text: 'Rain' })
      assert.match(JSON.stringify(bodyOf(at.provider, 1).messages), /result of c1.*result of c2/)
    })
  }

  it('chooses by hints and priorities of the server', async () => {
    await using at = await hosts.compatible().asking([{ text: ['a'] }, { text: ['b'] }, { text: ['c'] }])
    await think(at.mcp)
    await think(at.mcp, { modelPreferences: { hints: [{ name: 'small' }] } })
    await think(at.mcp, { modelPreferences: { speedPriority: 0.1, intelligencePriority: 0 } })
    assert.deepEqual(
      at.provider.seen.map(({ body }) => body.model),
      ['scripted-1', 'small-1', 'small-1'],
    )
  })
})

describe('the answerer of a sampling request', () => {
  const deny = [{ match: 'thinker:@sample', principal: 'denied' }]
  const host = sharedHost({ settings: { policy: { ...allowed.policy, deny } } })

  it('is the caller where it declared that it can, and the host is not asked', async () => {
    const sampling = async () => ({
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'by the caller' },
      model: 'own',
    })
    await using at = await host().asking([], { sampling })
    assert.equal((await think(at.mcp)).content.text, 'by the caller')
    assert.equal(at.provider.seen.length, 0)
  })

  it('is missing without a model, and the server is told what to do', async () => {
    await using at = await asking([], { settings: { models: {} } })
    assert.match((await think(at.mcp)).error, /the caller cannot, and the host has no model; configure a model/)
  })

  it('is missing where a rule denies it', async () => {
    await using at = await host().asking([], { name: 'denied' })
    assert.match((await think(at.mcp)).error, /The policy denies sample/)
    assert.equal(at.provider.seen.length, 0)
  })

  it('is missing without a person to ask, and the rule that would allow it is named', async () => {
    await using at = await asking([], { run: { unattended: true } })
    assert.match((await think(at.mcp)).error, /Nobody can be asked here.*thinker:@sample/s)
  })
})

describe('a person looks over sampling', () => {
  const host = sharedHost()

  it('the request before the model sees it, and the answer before the server does, each apart', async () => {
    await using at = await host().asking([{ text: ['Hello'] }])
    const thinking = think(at.mcp, { systemPrompt: 'Be kind' })
    const request = await questionOf(at.running, 'prompt')
    assert.equal(at.provider.seen.length, 0)
    assert.equal((request.detail.request as { systemPrompt: string }).systemPrompt, 'Be kind')
    assert.equal(request.detail.model, 'best')
    assert.equal(request.principal, 'editor')
    await settle(at.running, request, 'once')
    const answer = await questionOf(at.running, 'result')
    assert.deepEqual((answer.detail.result as { content: unknown }).content, { type: 'text', text: 'Hello' })
    await settle(at.running, answer, 'once')
    assert.equal((await thinking).content.text, 'Hello')
    const lines = queryLedger(at.running.host.store, { target: '@sample', principal: 'editor' }).map(
      ({ line }) => `${line.kind} ${line.outcome ?? ''}`,
    )
    assert.deepEqual(lines.reverse(), ['began ', 'decided once', 'decided once', 'ended ok'])
  })

  it('and may change both', async () => {
    await using at = await host().asking([{ text: ['secret'] }], { name: 'edited' })
    const thinking = think(at.mcp)
    const messages = [{ role: 'user', content: { type: 'text', text: 'Edited' } }]
    await settle(at.running, await questionOf(at.running, 'prompt'), 'once', { content: { messages } })
    const content = { content: { type: 'text', text: 'public' } }
    await settle(at.running, await questionOf(at.running, 'result'), 'once', { content })
    assert.equal((await thinking).content.text, 'public')
    assert.match(JSON.stringify(bodyOf(at.provider).messages), /Edited/)
  })

  it('and may refuse either, with a sentence', async () => {
    await using at = await host().asking([{ text: ['secret'] }], { name: 'refused' })
    const first = think(at.mcp)
    await settle(at.running, await questionOf(at.running, 'prompt'), 'refuse', { sentence: 'Not today' })
    assert.match((await first).error, /A person refused the request: Not today/)
    assert.equal(at.provider.seen.length, 0)
    const second = think(at.mcp)
    await settle(at.running, await questionOf(at.running, 'prompt'), 'once')
    await settle(at.running, await questionOf(at.running, 'result'), 'refuse')
    assert.match((await second).error, /A person refused the answer/)
  })

  it('for a session once each, and not again', async () => {
    await using at = await host().asking([{ text: ['one'] }, { text: ['two'] }], { name: 'session' })
    const first = think(at.mcp)
    await settle(at.running, await questionOf(at.running, 'prompt'), 'session')
    await settle(at.running, await questionOf(at.running, 'result'), 'session')
    await first
    assert.equal((await think(at.mcp)).content.text, 'two')
  })

  it('only the answer, where a rule allows the request and another wants the answer seen', async () => {
    const policy = { allow: ['thinker:@sample'], review: ['thinker:@sample'] }
    await using at = await asking([{ text: ['Hello'] }], { settings: { policy } })
    const thinking = think(at.mcp)
    const answer = await questionOf(at.running, 'result')
    assert.match(answer.why, /review "thinker:@sample"/)
    await settle(at.running, answer, 'once')
    assert.equal((await thinking).content.text, 'Hello')
  })
})

describe('a sampling request that is cancelled', () => {
  const allow = [{ match: 'thinker:@sample', principal: 'allowed' }]
  const host = sharedHost({ settings: { policy: { allow } } })

  it('takes its question back', async () => {
    await using at = await host().asking([])
    const stop = new AbortController()
    const thinking = think(at.mcp, {}, { signal: stop.signal })
    const request = await questionOf(at.running, 'prompt')
    const settled = at.running.host.inbox.settled(request.id)
    stop.abort(new Error('enough'))
    await assert.rejects(thinking, /enough/)
    await settled
    assert.equal(at.running.host.inbox.settlementOf(request.id)?.state, 'withdrawn')
  })

  it('ends the request to the model', async () => {
    await using at = await host().asking(['hang'], { name: 'allowed' })
    const stop = new AbortController()
    const thinking = think(at.mcp, {}, { signal: stop.signal })
    await at.provider.count(1)
    stop.abort(new Error('enough'))
    await assert.rejects(thinking, /enough/)
    await at.provider.seen[0]?.closed
  })
})

describe('the budget of a server', () => {
  it('ends, and the server hears until when', async () => {
    const model = { budgets: { thinker: { requestsPerHour: 2 } } }
    await using at = await asking([{ text: ['one'] }, { text: ['two'] }], { settings: { ...allowed, model } })
    await think(at.mcp)
    await think(at.mcp)
    assert.match((await think(at.mcp)).error, /its 2 requests of this hour are used up; some are free again at \d{4}-/)
    assert.equal(at.provider.seen.length, 2)
  })

  it('gives an answer no more tokens than are left, and counts those that the provider reports', async () => {
    const model = { budget: { tokensPerDay: 150 } }
    const replies = [{ text: ['one'], tokens: { input: 60, output: 40 } }]
    await using at = await asking(replies, { settings: { ...allowed, model } })
    await think(at.mcp, { maxTokens: 1_000 })
    assert.ok(Number(bodyOf(at.provider).max_tokens) < 150)
    assert.equal(at.running.host.models.budgets.spentBy('server thinker', 0).tokens, 100)
    assert.match(
      (await think(at.mcp, { maxTokens: 1_000, systemPrompt: 'x'.repeat(400) })).error,
      /150 tokens of this day/,
    )
  })
})

it('a provider that fails is named to the server without its key', async () => {
  await using at = await asking([{ status: 400, message: 'too hot' }], { settings: allowed })
  assert.match((await think(at.mcp)).error, /the provider answered 400: too hot/)
})
