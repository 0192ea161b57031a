import assert from 'node:assert/strict'
import { test } from 'node:test'
import { server } from '../server/server.ts'
import { join } from '../testing/revisions.ts'

test('watch() and complete() say what was expected', async () => {
  const shop = server({ name: 'shop', version: '1.0.0' }).tool('a', {}, () => 'x')
  await using pair = await join(shop)
  const { client } = pair
  const cases: readonly [call: () => Promise<unknown>, message: string][] = [
    [
      () => client.watch(undefined as never, () => {}),
      'Cannot watch: say what to watch, as in watch({ tools: true }, onChange), not undefined',
    ],
    [
      () => client.watch({ tool: true } as never, () => {}),
      'Cannot watch: there is no option "tool"; did you mean "tools"?',
    ],
    [
      () => client.watch({ uris: 'a:b' } as never, () => {}),
      'Cannot watch: "uris" must be a list of strings, not a string',
    ],
    [
      () => client.watch({ tools: true }, undefined as never),
      'Cannot watch: the second argument must be a function, not undefined',
    ],
    [
      () => client.complete(undefined as never, 'x'),
      'Cannot complete: give { prompt, argument } or { template, argument }',
    ],
    [
      () => client.complete({ prompt: 'a' } as never, 'x'),
      'Cannot complete: give { prompt, argument } or { template, argument }',
    ],
  ]
  for (const [call, message] of cases) await assert.rejects(call(), { code: 'Misuse', message })
  assert.equal(client.live.watching, 0)
})
