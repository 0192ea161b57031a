import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const offering = () => {
  const offers = fresh({ declare: ['tools', 'prompts', 'resources', 'completions'] })
    .tool('t', {}, () => 't')
    .prompt('p', { arguments: [{ name: 'x' }], complete: { x: () => ['y'] } }, () => 'p')
    .resource('test:r', {}, () => 'r')
    .template('test:all/{n}', { list: () => [{ uri: 'test:all/1', name: '1' }] }, ({ n }) => n)
  return offers
}

/** Everything that can be seen, wherever it can be seen. */
async function visible(client: Client): Promise<string[]> {
  const found = [
    ...(await client.tools.list().all()).map(({ name }) => `tool ${name}`),
    ...(await client.prompts.list().all()).map(({ name }) => `prompt ${name}`),
    ...(await client.resources.list().all()).map(({ uri }) => `resource ${uri}`),
    ...(await client.resources.templates().all()).map(({ uriTemplate }) => `template ${uriTemplate}`),
  ]
  const works = async (what: string, call: Promise<unknown>): Promise<string[]> =>
    call.then(
      () => [`use of ${what}`],
      () => [],
    )
  return [
    ...found,
    ...(await works('t', client.tools.call('t', {}))),
    ...(await works('p', client.prompts.get('p', {}))),
    ...(await works('test:r', client.resources.read('test:r'))),
    ...(await works('test:all/1', client.resources.read('test:all/1'))),
    ...(await works('p.x', client.complete({ prompt: 'p', argument: 'x' }, ''))),
  ]
}

test('a disabled offer is neither listed nor found, nor is what belongs to it, until it is enabled', async () => {
  const offers = offering()
  await everyRevision(
    offers,
    async ({ client }) => {
      const all = await visible(client as Client)
      assert.equal(all.length, 10)
      offers.tools.disable('t')
      offers.prompts.disable('p')
      offers.resources.disable('test:r')
      offers.templates.disable('test:all/{n}')
      assert.deepEqual(await visible(client as Client), [])
      offers.tools.enable('t')
      offers.prompts.enable('p')
      offers.resources.enable('test:r')
      offers.templates.enable('test:all/{n}')
      assert.deepEqual(await visible(client as Client), all)
    },
    { cache: false },
  )
})

test('an offer that is not visible to a caller is neither listed nor found', async () => {
  const forAda = { visible: ({ info }: { info: { name: string } | undefined }) => info?.name === 'Ada' }
  const secret = fresh({ declare: ['tools', 'prompts', 'resources', 'completions'] })
    .tool('t', forAda, () => 't')
    .prompt('p', { ...forAda, arguments: [{ name: 'x' }], complete: { x: () => ['y'] } }, () => 'p')
    .resource('test:r', forAda, () => 'r')
    .template('test:all/{n}', { ...forAda, list: () => [{ uri: 'test:all/1', name: '1' }] }, ({ n }) => n)
  const seenBy = async (name: string, count: number) =>
    everyRevision(secret, async ({ client }) => assert.equal((await visible(client as Client)).length, count), {
      info: { name, version: '1' },
    })
  await seenBy('Ada', 10)
  await seenBy('Bob', 0)
})
