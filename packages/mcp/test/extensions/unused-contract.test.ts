import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { connect, type ServerExtension, server } from '@trunkline/mcp'
import { open } from '@trunkline/mcp/client'
import { type ContractContext, contract, retryable } from '@trunkline/mcp/contract'
import { relay } from '@trunkline/mcp/relay'
import { tasks } from '@trunkline/mcp/tasks'
import { memoryPair } from '@trunkline/mcp/testing'
import { z } from 'zod'

const calls = 50
const input = z.object({ text: z.string() })

/** Number of promises made while a tool is called again and again, on a server with these extensions. */
async function promisesOf(tool: 'now' | 'later', revision: string, extensions: readonly ServerExtension[]) {
  const shop = server({ name: 'shop', version: '1.0.0', extensions })
    .tool('now', { input }, ({ text }) => text)
    .tool('later', { input }, async ({ text }) => text)
  await using mcp = await connect(shop, { revisions: [revision] })
  // the first call compiles and fills caches
  await mcp.tools.call(tool, { text: 'first' })
  let made = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') made++
    },
  }).enable()
  for (let at = 0; at < calls; at++) await mcp.tools.call(tool, { text: 'again' })
  hook.disable()
  return made
}

for (const revision of ['2026-07-28', '2025-06-18'])
  for (const tool of ['now', 'later'] as const)
    test(`unused contract [${revision}]: a call of a tool that answers ${tool} makes no promise more`, async () => {
      const without = await promisesOf(tool, revision, [])
      assert.ok(without >= calls, `${without}`)
      assert.equal(await promisesOf(tool, revision, [contract()]), without)
      assert.equal(await promisesOf(tool, revision, [tasks(), contract()]), without)
    })

for (const tool of ['now', 'later', 'throw'] as const)
  test(`an extension whose run is not for this call is not entered: a tool that answers ${tool}`, async () => {
    const entered: string[] = []
    const watching: ServerExtension = {
      id: 'com.example/watching',
      server: () => ({
        runs: ({ params }) => (params.arguments as { text: string }).text === 'run',
        run: (next) => (call) => {
          entered.push('run')
          return next(call)
        },
        finished: (_, result) => ({ ...result, _meta: { seen: true } }),
        failed: async (_, error) => void entered.push(`failed: ${(error as Error).message}`),
      }),
    }
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [watching] })
      .tool('now', { input }, ({ text }) => text)
      .tool('later', { input }, async ({ text }) => text)
      .tool('throw', { input }, () => {
        throw new Error('the disk is full')
      })
    await using mcp = await connect(shop)
    const failures = tool === 'throw' ? ['failed: the disk is full'] : []
    const { _meta } = await mcp.tools.call(tool, { text: 'walk' })
    assert.deepEqual([entered.splice(0), _meta?.seen], [failures, true])
    await mcp.tools.call(tool, { text: 'run' })
    assert.deepEqual(entered, ['run', ...failures])
  })

test('an extension on a relay: the answer holds what a handler used of it, and its error reaches the caller', async () => {
  const between = relay({
    name: 'between',
    version: '1.0.0',
    capabilities: { tools: {} },
    extensions: [contract()],
    onError: () => {},
    async handle({ method, params, ctx }) {
      const own = ctx as typeof ctx & ContractContext
      if (method !== 'tools/call') return { tools: [] }
      if (params.name === 'busy') throw retryable('Not now', { afterMs: 7 })
      own.exit(3)
      return { content: [] }
    },
  })
  const [near, far] = memoryPair()
  between.serve(far)
  await using mcp = await open(() => near, { extensions: [contract()] })
  assert.deepEqual((await mcp.tools.call('end', {})).status, { code: 3, class: 'failed' })
  await assert.rejects(mcp.tools.call('busy', {}))
  await between.close()
})
