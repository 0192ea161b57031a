import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from './document/document.ts'
import { readJson } from './document/json.ts'
import { effectiveConfig } from './effective.ts'
import { readLayer } from './layers/layer.ts'
import { describeProblem } from './problem.ts'
import { resolveModels } from './resolve-models.ts'

async function resolved(settings: Value, environment: { readonly [name: string]: string } = {}) {
  const layer = readLayer('user', readJson('/trunkline.json', JSON.stringify(settings, null, 1)))
  const config = effectiveConfig([layer], () => true)
  const secrets = { get: async (name: string) => (name === 'claude' ? 'sk-ant' : undefined) }
  const { models, problems } = await resolveModels(config, {
    environment,
    secrets,
    home: '/home/ada',
    workspace: undefined,
  })
  return { models, problems: [...config.problems, ...problems].map(describeProblem) }
}

test('resolveModels: every provider, with keys by reference', async () => {
  const { models, problems } = await resolved(
    {
      models: {
        wise: { provider: 'anthropic', name: 'sage', key: 'secret:claude' },
        'gpt-4.1': { provider: 'openai', key: '${OPENAI_API_KEY}' },
        home: { provider: 'ollama', name: 'llama' },
        rack: { provider: 'vllm', url: 'https://rack.example/v1/', headers: { team: '${TEAM}' } },
        other: { provider: 'compatible', url: 'http://localhost:9/v1', key: '${OPENAI_API_KEY}' },
      },
    },
    { OPENAI_API_KEY: 'sk-open', TEAM: 'blue' },
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(
    models.map(({ name, modelId, url, key, headers }) => [name, modelId, url, key, headers]),
    [
      ['wise', 'sage', 'https://api.anthropic.com/v1', 'sk-ant', {}],
      ['gpt-4.1', 'gpt-4.1', 'https://api.openai.com/v1', 'sk-open', {}],
      ['home', 'llama', 'http://127.0.0.1:11434/v1', undefined, {}],
      ['rack', 'rack', 'https://rack.example/v1', undefined, { team: 'blue' }],
      ['other', 'other', 'http://localhost:9/v1', 'sk-open', {}],
    ],
  )
})

const mistakes: readonly [what: string, settings: Value, problem: RegExp][] = [
  [
    'no provider',
    { models: { a: { name: 'x' } } },
    /trunkline\.json:4: models\.a\.provider is missing; write who runs it/,
  ],
  [
    'a provider that is none',
    { models: { a: { provider: 'acme' } } },
    /models\.a\.provider is "acme"; write "anthropic" or/,
  ],
  [
    'an address that is none',
    { models: { a: { provider: 'openai', key: 'secret:claude', url: 'far' } } },
    /models\.a\.url is no address of a provider/,
  ],
  [
    'a key that is none',
    { models: { a: { provider: 'openai', key: 'sk-live-123' } } },
    /models\.a\.key is no reference to a key; write "\$\{NAME\}"/,
  ],
  [
    'no key',
    { models: { a: { provider: 'anthropic' } } },
    /models\.a\.key is missing; write "\$\{ANTHROPIC_API_KEY\}"/,
  ],
  [
    'a variable that is not set',
    { models: { a: { provider: 'openai', key: '${NOPE}' } } },
    /models\.a\.key cannot be used: NOPE is not set/,
  ],
  [
    'a secret that is not there',
    { models: { a: { provider: 'openai', key: 'secret:nope' } } },
    /there is no secret "nope"/,
  ],
  ['no address', { models: { a: { provider: 'compatible' } } }, /models\.a\.url is missing/],
  [
    'a key in the open',
    { models: { a: { provider: 'compatible', url: 'http://far.example/v1', key: 'secret:claude' } } },
    /models\.a\.url would send the key unencrypted/,
  ],
  [
    'another model in use',
    { models: { a: { provider: 'ollama' } }, model: { use: 'b' } },
    /model\.use names no model: "b"; write "a"/,
  ],
  [
    'a price that is none',
    { models: { a: { provider: 'ollama', inputPrice: -1 } } },
    /models\.a\.inputPrice is -1; write a number from 0/,
  ],
  [
    'a model with a dot in its name',
    { models: { 'x 1.5': { provider: 'openai' } } },
    /models\."x 1\.5"\.key is missing/,
  ],
]

/** Problems that do not keep the model from being used. */
const usable = ['another model in use', 'a price that is none']

for (const [what, settings, problem] of mistakes) {
  test(`resolveModels: ${what} names the field and the fix, once, and never the key`, async () => {
    const { models, problems } = await resolved(settings)
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.deepEqual(
      models.map(({ name }) => name),
      usable.includes(what) ? ['a'] : [],
    )
    assert.match(problems.join('\n'), problem)
    assert.ok(!problems.join().includes('sk-live'), problems.join())
  })
}
