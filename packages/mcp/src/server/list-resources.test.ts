import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision, join } from '../testing/revisions.ts'
import { server } from './server.ts'

test('templates.listChanged tells those who watch the list, also of a server that is mounted', async () => {
  const ids = ['a']
  const shop = server({ name: 'shop', version: '1.0.0' }).template(
    'shop://{id}',
    { list: () => ids.map((id) => ({ uri: `shop://${id}`, name: id })) },
    ({ id }) => id,
  )
  const mall = server({ name: 'mall', version: '1.0.0' }).mount('shop', shop)
  await everyRevision(mall, async ({ client }) => {
    const names = async () => (await client.resources.list().all()).map(({ name }) => name)
    assert.deepEqual(await names(), ids)
    const changed = new Promise((resolve) => void client.watch({ resources: true }, resolve).then(sell))
    function sell(): void {
      ids.push('b')
      shop.templates.listChanged('shop://{id}')
    }
    assert.deepEqual(await changed, { kind: 'resources' })
    assert.deepEqual(await names(), ids)
    ids.pop()
  })
  assert.throws(() => shop.templates.listChanged('shop://{name}'), {
    code: 'Misuse',
    message: 'Cannot announce a change of template "shop://{name}": there is none',
  })
})

test('a template that lists nonsense, or fails, hides only itself, and its author is told', async () => {
  const errors: string[] = []
  const shop = server({ name: 'shop', version: '1.0.0', onError: (error) => errors.push((error as Error).message) })
    .resource('shop://hours', { name: 'hours' }, () => '9 to 5')
    .template('a://{id}', { list: () => [{ uri: 'a://1' } as never, { uri: 'a://2', name: 'two' }] }, () => '')
    .template('b://{id}', { list: () => 'b://1' as never }, () => '')
    .template('c://{id}', { list: () => Promise.reject(new Error('no database')) }, () => '')
  await using pair = await join(shop)
  const names = (await pair.client.resources.list().all()).map(({ name }) => name)
  assert.deepEqual(names, ['hours', 'two'])
  assert.deepEqual(errors, [
    'Template "a://{id}" listed what clients cannot read: [0].name is required',
    'Template "b://{id}" listed no array: return [{ uri, name }, …]',
    'no database',
  ])
})
