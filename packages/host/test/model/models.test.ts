import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ConfiguredModel } from '../../src/config/resolve-models.ts'
import { type Budget, Budgets, usualBudget } from '../../src/model/budgets.ts'
import { chooseModel, type ModelWishes } from '../../src/model/choose-model.ts'
import { ModelError } from '../../src/model/model-error.ts'
import type { ModelRequest } from '../../src/model/model-request.ts'
import { Models } from '../../src/model/models.ts'
import { openStore } from '../../src/store/store.ts'
import { modelTables } from '../../src/store/tables/model-use-table.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from './scripted-provider.ts'

type Provider = 'anthropic' | 'compatible'
const providers: readonly Provider[] = ['anthropic', 'compatible']

function modelAt(url: string, provider: Provider, more: Partial<ConfiguredModel> = {}): ConfiguredModel {
  return {
    name: 'best',
    provider,
    modelId: 'scripted-1',
    url,
    key: providerKey,
    headers: {},
    hints: [],
    intelligence: 0.5,
    speed: 0.5,
    inputPrice: 0,
    outputPrice: 0,
    contextTokens: 100_000,
    maxOutputTokens: 8_192,
    ...more,
  }
}

/** Models in a store of their own. */
function opened(models: readonly ConfiguredModel[]) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'store.db')
  const store = openStore({ path, rooms: [modelTables] })
  const all = new Models(store)
  all.configure({ models })
  return {
    models: all,
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], maxTokens: 100 }

async function failureOf(model: ConfiguredModel, request = hello, options: object = {}): Promise<ModelError> {
  await using parts = opened([model])
  try {
    await parts.models.ask(model, request, { spender: 'chat', ...options })
  } catch (error) {
    assert.ok(error instanceof ModelError, String(error))
    return error
  }
  return assert.fail('it answered')
}

for (const provider of providers) {
  describe(`a model of an endpoint as ${provider}`, () => {
    it('is sent system prompt, messages, tools and limits, and streams its answer', async () => {
      await using scripted = await scriptedProvider({ text: ['Hel', 'lo'], tokens: { input: 12, output: 3 } })
      const model = modelAt(scripted.url, provider, { inputPrice: 2, outputPrice: 10 })
      await using parts = opened([model])
      const pieces: string[] = []
      const reply = await parts.models.ask(
        model,
        {
          ...hello,
          system: 'Be brief',
          temperature: 0.5,
          stopSequences: ['END'],
          tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } }],
        },
        { spender: 'chat', onText: (text) => pieces.push(text) },
      )
      assert.deepEqual(pieces, ['Hel', 'lo'])
      assert.deepEqual(reply.content, [{ type: 'text', text: 'Hello' }])
      assert.equal(reply.stop, 'end')
      assert.deepEqual(reply.tokens, { input: 12, output: 3 })
      assert.equal(reply.model, 'scripted-1')
      assert.ok(Math.abs(reply.cost - 54e-6) < 1e-12, String(reply.cost))
      const { body } = scripted.seen[0] as ScriptedProvider['seen'][number]
      assert.match(JSON.stringify(body), /Be brief/)
      assert.equal(body.max_tokens, 100)
      assert.equal(body.temperature, 0.5)
      assert.deepEqual(body.stop ?? body.stop_sequences, ['END'])
      assert.match(JSON.stringify(body.tools), /"add"/)
    })

    it('says which calls it wants made, several at once, and makes none', async () => {
      const calls = [
        { id: 'one', name: 'add', arguments: { a: 1 } },
        { id: 'two', name: 'add', arguments: { a: 2 } },
      ]
      await using scripted = await scriptedProvider({ text: ['I add'], calls })
      const model = modelAt(scripted.url, provider)
      await using parts = opened([model])
      const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }]
      const reply = await parts.models.ask(model, { ...hello, tools }, { spender: 'chat' })
      assert.equal(reply.stop, 'tool calls')
      assert.deepEqual(reply.content, [
        { type: 'text', text: 'I add' },
        ...calls.map((call) => ({ type: 'tool call', ...call })),
      ])
    })

    it('that does not take the key names the setting, and never shows the key', async () => {
      await using scripted = await scriptedProvider()
      const key = 'sk-proj-wrong0123456789abcdef'
      const error = await failureOf(modelAt(scripted.url, provider, { key }))
      assert.equal(error.code, 'Key')
      assert.match(error.message, /answered 401.*models\.best\.key/)
      assert.ok(!error.message.includes(key), error.message)
    })

    it('that limits requests is asked again when it says so, and then given up with the time', async () => {
      const limited = { status: 429, message: 'slow down', headers: { 'retry-after-ms': '5' } }
      await using scripted = await scriptedProvider(limited, { text: ['now'] })
      const model = modelAt(scripted.url, provider)
      await using parts = opened([model])
      const reply = await parts.models.ask(model, hello, { spender: 'chat' })
      assert.deepEqual(reply.content, [{ type: 'text', text: 'now' }])
      scripted.say(limited, limited, limited)
      const error = await failureOf(model)
      assert.equal(error.code, 'Limited')
      assert.ok(error.retryAt !== undefined)
      assert.equal(scripted.seen.length, 5)
    })

    it('that hangs, before or within its answer, is given up', async () => {
      await using scripted = await scriptedProvider('hang', { text: ['Once upon'], thenHang: true })
      const model = modelAt(scripted.url, provider)
      for (const _ of [1, 2]) {
        const error = await failureOf(model, hello, { quietMs: 200 })
        assert.equal(error.code, 'Quiet')
      }
      await scripted.seen[1]?.closed
    })

    it('that does not end is cut off', async () => {
      await using scripted = await scriptedProvider({ text: Array.from({ length: 20 }, () => 'x'.repeat(100)) })
      const error = await failureOf(modelAt(scripted.url, provider), hello, { maxReplyChars: 1_000 })
      assert.equal(error.code, 'TooLarge')
    })

    it('is told at once when the answer is no longer wanted', async () => {
      await using scripted = await scriptedProvider({ text: ['Once'], thenHang: true })
      const model = modelAt(scripted.url, provider)
      await using parts = opened([model])
      const stop = new AbortController()
      const asked = parts.models.ask(model, hello, {
        spender: 'chat',
        signal: stop.signal,
        onText: () => stop.abort(new Error('enough')),
      })
      await assert.rejects(asked, /enough/)
      await scripted.seen[0]?.closed
    })

    it('that is not there, or breaks off, is unreachable or failed', async () => {
      const { url } = await scriptedProvider().then(async (one) => {
        await one[Symbol.asyncDispose]()
        return one
      })
      const error = await failureOf(modelAt(url, provider), hello, { maxRetries: 0 })
      assert.equal(error.code, 'Unreachable')
      assert.match(error.message, /models\.best\.url/)
    })
  })
}

describe('chooseModel', () => {
  const cheap = modelAt('', 'compatible', {
    name: 'cheap',
    modelId: 'tiny-1',
    outputPrice: 1,
    intelligence: 0.2,
    speed: 0.9,
  })
  const wise = modelAt('', 'anthropic', {
    name: 'wise',
    modelId: 'sage-4',
    outputPrice: 30,
    intelligence: 1,
    speed: 0.2,
  })
  const local = modelAt('', 'compatible', { name: 'local', modelId: 'llama', hints: ['gpt', 'claude'], speed: 0.5 })
  const all = [cheap, wise, local]
  const cases: readonly [what: string, wishes: ModelWishes, use: string | undefined, expected: string][] = [
    ['the first without wishes', {}, undefined, 'cheap'],
    ['the usual one without wishes', {}, 'wise', 'wise'],
    ['by a part of the name', { hints: [{ name: 'Sage' }] }, undefined, 'wise'],
    [
      'by the first hint that names one',
      { hints: [{ name: 'nothing' }, { name: 'tiny' }, { name: 'sage' }] },
      'wise',
      'cheap',
    ],
    ['by a name that it stands for', { hints: [{ name: 'claude-sonnet-9' }] }, undefined, 'local'],
    ['the most able', { intelligencePriority: 1 }, undefined, 'wise'],
    ['the fastest', { speedPriority: 1 }, undefined, 'cheap'],
    ['the cheapest, which is free', { costPriority: 1 }, undefined, 'local'],
    ['by both, hint first', { hints: [{ name: 'sage' }], costPriority: 1 }, undefined, 'wise'],
    ['the usual one among equals', { hints: [{ name: '' }], costPriority: 0 }, 'local', 'local'],
  ]
  for (const [what, wishes, use, expected] of cases) {
    it(`takes ${what}`, () => assert.equal(chooseModel(all, wishes, use)?.name, expected))
  }

  it('takes none where there is none', () => assert.equal(chooseModel([], { speedPriority: 1 }), undefined))
})

describe('Budgets', () => {
  const spend = (budgets: Budgets, budget: Budget, more: object = {}) =>
    budgets.reserve({
      spender: 'server files',
      model: 'best',
      inputTokens: 10,
      maxTokens: 100,
      budget,
      tokensPerDayOfAll: undefined,
      ...more,
    })

  for (const [what, budget, uses] of [
    ['requests of an hour', { requestsPerHour: 2 }, 2],
    ['requests of a day', { requestsPerDay: 3 }, 3],
    ['tokens of an hour', { tokensPerHour: 220 }, 2],
    ['tokens of a day', { tokensPerDay: 110 }, 1],
  ] as const) {
    it(`end with the ${what}, for one spender and after a restart`, async () => {
      await using parts = opened([])
      const { budgets } = parts.models
      for (let use = 0; use < uses; use++) await spend(budgets, budget)
      await assert.rejects(spend(budgets, budget), {
        code: 'Budget',
        message: /files: its \d+ \w+ of this (hour|day) are used up/,
      })
      await assert.rejects(spend(new Budgets(parts.store), budget), { code: 'Budget' })
      await spend(budgets, budget, { spender: 'server other' })
    })
  }

  it('count the real use, and give the answer the rest', async () => {
    await using parts = opened([])
    const { budgets } = parts.models
    const budget = { tokensPerHour: 200 }
    const first = await spend(budgets, budget)
    assert.equal(first.maxTokens, 100)
    await first.settle({ input: 12, output: 8 }, 0.5)
    assert.deepEqual(budgets.spentBy('server files', 0), { requests: 1, tokens: 20, cost: 0.5 })
    const second = await spend(budgets, budget, { maxTokens: 500 })
    assert.equal(second.maxTokens, 170)
  })

  it('let through as many of a thousand requests at once as the usual budget allows', async () => {
    await using parts = opened([])
    const { budgets } = parts.models
    const all = await Promise.allSettled(Array.from({ length: 1_000 }, () => spend(budgets, usualBudget)))
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, usualBudget.requestsPerHour)
  })

  it('of all together end for every spender', async () => {
    await using parts = opened([])
    const { budgets } = parts.models
    await spend(budgets, {}, { tokensPerDayOfAll: 150 })
    await assert.rejects(spend(budgets, {}, { spender: 'chat', tokensPerDayOfAll: 110 }), /everybody/)
    assert.equal(budgets.spentByAll(0).requests, 1)
  })

  it('keep a bounded number of uses', async () => {
    await using parts = opened([])
    const budgets = new Budgets(parts.store, { maxUses: 3 })
    for (let use = 0; use < 10; use++) await spend(budgets, {})
    assert.equal(budgets.spentByAll(0).requests, 3)
  })
})
