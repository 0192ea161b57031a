import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { providerKey, scriptedProvider } from './scripted-provider.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'loading.ts')

async function host(url: string, configured: string) {
  const { stdout } = await run(process.execPath, [program, url, configured, providerKey])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

test('a host without a model loads nothing of the AI SDK, and says what to configure', async () => {
  await using provider = await scriptedProvider()
  const { atStart, loaded, said } = await host(provider.url, 'without a model').catch((error) => assert.fail(error))
  assert.deepEqual({ atStart, loaded }, { atStart: 0, loaded: [] })
  assert.match(said, /none is configured; write into trunkline\.json "models"/)
})

test('a host with a model loads the AI SDK when the model is first used', async () => {
  await using provider = await scriptedProvider({ text: ['Hi'] })
  const { atStart, loaded, said } = await host(provider.url, 'with a model')
  assert.equal(atStart, 0)
  assert.ok(loaded.includes('ai') && loaded.includes('@ai-sdk/openai-compatible'), loaded.join())
  assert.ok(!loaded.includes('@ai-sdk/anthropic'))
  assert.deepEqual(said, [{ type: 'text', text: 'Hi' }])
})
