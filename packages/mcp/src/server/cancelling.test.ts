import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { gate } from '../../test/gate.ts'
import { everyRevision, join } from '../testing/revisions.ts'
import type { Context } from './context.ts'
import { server } from './server.ts'

/** Rejects with the reason of a signal, as `fetch` and most others do. */
const until = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** A server whose every handler works until it is told to stop, and what its author was told. */
function working() {
  const errors: unknown[] = []
  const begun = gate()
  const over = gate()
  const work = async (_: unknown, { signal }: Context): Promise<string> => {
    begun.open()
    return until(signal).finally(() => setTimeout(over.open))
  }
  const cafe = server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError: (error) => errors.push(error) })
    .tool('work', {}, work)
    .tool('wrap', {}, (_, ctx) => work(_, ctx).catch((cause) => Promise.reject(new Error('gave up', { cause }))))
    .tool('stumble', {}, (_, ctx) => work(_, ctx).catch(() => Promise.reject(new TypeError('a bug'))))
    .prompt('work', {}, work)
    .resource('app://work', {}, work)
  return { cafe, errors, begun: begun.promise, over: over.promise }
}

type Working = ReturnType<typeof working>
type Calling = Awaited<ReturnType<typeof join<Working['cafe']['offers']>>>['client']

const calls: { readonly [what: string]: (client: Calling, options: { signal: AbortSignal }) => Promise<unknown> } = {
  'a tool': (client, options) => client.tools.call('work', {}, options),
  'a tool that wraps the reason': (client, options) => client.tools.call('wrap', {}, options),
  'a prompt': (client, options) => client.prompts.get('work', {}, options),
  'a resource': (client, options) => client.resources.read('app://work', options),
}

for (const [what, call] of Object.entries(calls))
  test(`${what} that stops when it is cancelled is no error of its author`, async () => {
    const { cafe, errors, begun, over } = working()
    await using pair = await join(cafe)
    const enough = new AbortController()
    const calling = call(pair.client, { signal: enough.signal })
    await begun
    enough.abort(new Error('enough'))
    await assert.rejects(calling, { message: 'enough' })
    await over
    assert.deepEqual(errors, [])
  })

test('a bug that shows only when a call is cancelled is told all the same', async () => {
  const { cafe, errors, begun, over } = working()
  await using pair = await join(cafe)
  const enough = new AbortController()
  const calling = pair.client.tools.call('stumble', {}, { signal: enough.signal })
  await begun
  enough.abort(new Error('enough'))
  await assert.rejects(calling)
  await over
  assert.deepEqual(errors, [new TypeError('a bug')])
})

test('an abort of the handler’s own is reported as an error, since the call was not cancelled', async () => {
  const errors: unknown[] = []
  const cafe = server({ name: 'test', version: '1.0.0', onError: (error) => errors.push(error) }).tool('late', {}, () =>
    Promise.reject(new DOMException('The operation was aborted', 'AbortError')),
  )
  await using pair = await join(cafe)
  assert.equal((await pair.client.tools.call('late', {})).isError, true)
  assert.equal(errors.length, 1)
})

test('work that is let go when a call waits for input is no error of its author', async () => {
  const errors: unknown[] = []
  const cafe = server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError: (error) => errors.push(error) })
  const asking = cafe.tool('ask', {}, async (_, { elicit, signal }) => {
    const asked = elicit('Sure?', z.object({ sure: z.boolean() }))
    await Promise.race([asked, until(signal)])
    return `${(await asked).sure}`
  })
  const elicitation = { form: () => ({ action: 'accept' as const, content: { sure: true } }) }
  await everyRevision(
    asking,
    async ({ client }) => {
      await client.tools.call('ask', {})
      await new Promise((resolve) => setTimeout(resolve))
      assert.deepEqual(errors, [])
    },
    { elicitation },
  )
})
