import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokensOfDefinitions, tokensOfResult } from '@trunkline/server-kit/testing'
import { FakeGithub, item, pullRequest, repository } from '../test/fake-github.ts'
import { call, clientOf } from '../test/test-client.ts'

const open = '/repos/ada/open'
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} of a long, long line`).join(' ')
const many = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at))
const long = {
  title: words(40),
  body: many(200, () => words(20)).join('\n'),
  labels: many(10, (at) => ({ name: `area/a-label-with-a-long-name-${at}` })),
  assignees: many(10, (at) => ({ login: `somebody-with-a-long-name-${at}` })),
  user: { login: 'somebody-with-a-long-name' },
}

test('sizes: definitions within 3 000 tokens, lists within 1 500, one thing within 2 500, whatever GitHub has', async () => {
  const sha = 'a'.repeat(40)
  const found = many(30, (at) => ({ ...item(at, long), repository_url: `https://x/repos/ada/open` }))
  const run = (id: number) => ({
    id,
    name: words(5),
    status: 'completed',
    conclusion: 'failure',
    html_url: `https://x/${id}`,
  })
  await using fake = await FakeGithub.start({
    [open]: repository('open'),
    [`${open}/issues`]: many(60, (at) => item(at + 1, long)),
    [`${open}/pulls`]: many(60, (at) => pullRequest(at + 1, long)),
    [`${open}/issues/1`]: item(1, { ...long, comments: 20 }),
    [`${open}/issues/1/comments`]: many(20, (at) => ({ ...item(at, long), id: at, created_at: '2026-11-17' })),
    [`${open}/pulls/1`]: pullRequest(1, { ...long, comments: 20 }),
    [`${open}/pulls/1/reviews`]: many(20, (at) => ({ ...item(at, long), id: at, state: 'APPROVED' })),
    [`${open}/pulls/1/files`]: many(300, (at) => ({
      filename: `packages/some-folder/some-file-${at}.ts`,
      status: 'modified',
      additions: at,
      deletions: at,
      patch: words(100),
    })),
    [`${open}/commits/${sha}/check-runs`]: { check_runs: many(100, run) },
    [`${open}/commits/${sha}/status`]: { statuses: [] },
    ...Object.fromEntries(
      many(100, (at) => [
        `${open}/check-runs/${at}/annotations`,
        many(5, () => ({ path: 'a.ts', start_line: 3, message: words(99) })),
      ]),
    ),
    [`${open}/contents/long.txt`]: {
      type: 'file',
      sha,
      encoding: 'base64',
      content: Buffer.from(many(2_000, () => words(6)).join('\n')).toString('base64'),
    },
    '/search/issues': { total_count: 3_000, items: found.slice(0, 10) },
  })
  await using client = await clientOf(fake)
  const tools = await client.tools.list().all()
  assert.equal(tools.length, 12)
  const definitions = tokensOfDefinitions(tools)
  assert.ok(definitions <= 3_000, `definitions: ${definitions} tokens`)
  const limits: readonly (readonly [tool: string, args: object, most: number])[] = [
    ['list_items', { kind: 'issues', repo: 'ada/open' }, 1_500],
    ['list_items', { kind: 'pulls', repo: 'ada/open' }, 1_500],
    ['search_github', { query: 'x' }, 1_500],
    ['get_issue', { issue: 'ada/open#1' }, 2_500],
    ['get_issue', { issue: 'ada/open#1', comments: 20 }, 2_500],
    ['get_pull', { pull: 'ada/open#1' }, 2_500],
    ['get_pull', { pull: 'ada/open#1', include: ['body', 'files', 'reviews', 'comments'] }, 2_500],
    ['get_file', { path: 'long.txt', repo: 'ada/open' }, 2_500],
    ['get_checks', { pull: 'ada/open#1' }, 2_500],
  ]
  const wrong: string[] = []
  for (const [tool, args, most] of limits) {
    const result = await client.tools.call(tool as never, args as never)
    const tokens = tokensOfResult(result)
    if (result.isError || tokens > most) wrong.push(`${tool} ${JSON.stringify(args)}: ${tokens} tokens`)
  }
  assert.deepEqual(wrong, [])
})

test('list_items: fifteen ordinary items fit into the first page', async () => {
  await using fake = await FakeGithub.start({
    [`${open}/issues`]: many(40, (at) => item(at + 1, { title: words(2), labels: [{ name: 'enhancement' }] })),
  })
  await using client = await clientOf(fake)
  const listed = await call<{ items: readonly object[] }>(client, 'list_items', { kind: 'issues', repo: 'ada/open' })
  assert.equal(listed.items.length, 15)
})

test('list_items: every item comes once over the pages, however long the items are', async () => {
  await using fake = await FakeGithub.start({
    [`${open}/issues`]: many(130, (at) => item(at + 1, at % 3 === 0 ? { pull_request: {} } : long)),
  })
  await using client = await clientOf(fake)
  const numbers: number[] = []
  let cursor: string | undefined
  do {
    const asked = { kind: 'issues', repo: 'ada/open', ...(cursor && { cursor }) }
    const page: { items: readonly { number: number }[]; next?: string } = await call(client, 'list_items', asked)
    const { items, next } = page
    numbers.push(...items.map(({ number }) => number))
    cursor = next
  } while (cursor !== undefined)
  assert.deepEqual(
    numbers,
    many(130, (at) => at + 1).filter((number) => number % 3 !== 1),
  )
})
