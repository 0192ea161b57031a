import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { clientTelemetry, telemetry } from '@trunkline/mcp/telemetry'
import { everyRevision } from '@trunkline/mcp/testing'

/** Calls with telemetry on both sides, and tells what the server got beside the arguments. */
async function metaOf(call: (meta: object) => void): Promise<void> {
  const app = server({ name: 'untraced', version: '1' })
    .use(telemetry())
    .tool('meta', {}, (_, ctx) => call(ctx.meta))
  const use = [clientTelemetry()]
  await everyRevision(app, async ({ client }) => void (await client.tools.call('meta', {})), { use })
}

test('telemetry: where no SDK is registered, nothing is said of traces', async () => {
  await metaOf((meta) => assert.ok(!('traceparent' in meta)))
})

test('telemetry: where the API is not installed, everything works as it does without', async () => {
  let refused = 0
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== '@opentelemetry/api') return next(specifier, context)
      refused += 1
      throw new Error('not installed')
    },
  })
  let called = 0
  await metaOf(() => {
    called += 1
  })
  hooks.deregister()
  assert.deepEqual([refused, called], [2, 5])
})
