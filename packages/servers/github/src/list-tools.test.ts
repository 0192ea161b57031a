import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeGithub, item, pullRequest } from '../test/fake-github.ts'
import { call, clientOf } from '../test/test-client.ts'

test('list_items: filters by author, assignee and label; fields add members; more than 100 at once are refused', async () => {
  const mine = item(2, { assignees: [{ login: 'bob' }], labels: [{ name: 'Bug' }] })
  await using fake = await FakeGithub.start({
    '/repos/ada/open/issues': [item(1, { user: { login: 'eve' } }), mine, item(3)],
    '/repos/ada/open/pulls': [pullRequest(4, { draft: true })],
  })
  await using client = await clientOf(fake)
  const list = async (args: object) =>
    (
      await call<{ items: readonly { number: number }[] }>(client, 'list_items', {
        ...{ kind: 'issues', repo: 'ada/open' },
        ...args,
      })
    ).items
  const numbers = async (args: object) => (await list(args)).map(({ number }) => number)
  assert.deepEqual(await numbers({}), [1, 2, 3])
  assert.deepEqual(await numbers({ author: 'Eve' }), [1])
  assert.deepEqual(await numbers({ assignee: 'bob' }), [2])
  assert.deepEqual(await numbers({ label: 'bug' }), [2])
  const plain = { number: 4, title: 'Title 4', author: 'ada', state: 'open', draft: true, labels: [] }
  const shown = { ...plain, updated: '2026-11-17', comments: 0 }
  assert.deepEqual(await list({ kind: 'pulls' }), [shown])
  assert.deepEqual(await list({ kind: 'pulls', fields: ['base', 'assignees'] }), [
    { ...shown, assignees: [], base: 'main' },
  ])
  const many = { kind: 'issues', repo: 'ada/open', limit: 101 } as never
  assert.equal((await client.tools.call('list_items' as never, many)).isError, true)
})
