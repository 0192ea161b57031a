import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokensOfDefinitions, tokensOfResult } from '@trunkline/server-kit/testing'
import { FakeGithub, item, pullRequest, repository } from '../test/fake-github.ts'
import { clientOf } from '../test/test-client.ts'

const open = '/repos/ada/open'
const sha = 'a1b2c3d4'.repeat(5)
const titles = [
  'Totals ignore the number of items in a cart',
  'Support several currencies in one invoice',
  'The export of large tables stops without an error',
  'Document how to run the tests on Windows',
]
const sentence = 'When a cart has three items of the same kind, only the first of them is counted in its total. '
const titleOf = (at: number) => titles[at % titles.length]
const labels = [{ name: 'bug' }, { name: 'area/checkout' }]
const comment = (id: number) => ({
  id,
  body: sentence.repeat(3),
  user: { login: 'grace-h' },
  author_association: 'CONTRIBUTOR',
  created_at: '2026-11-17T10:00:00Z',
})
const many = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at))

/** The five questions of the page, each with the call that answers it. */
const questions: readonly (readonly [question: string, tool: string, args: object])[] = [
  ['What are the last two pull requests?', 'list_items', { kind: 'pulls', repo: 'ada/open', limit: 2 }],
  ['Which issues are open? (14)', 'list_items', { kind: 'issues', repo: 'ada/open' }],
  ['What does this pull request change? (body, 5 files)', 'get_pull', { pull: 'ada/open#2' }],
  ['What does this issue say? (body, 2 comments)', 'get_issue', { issue: 'ada/open#1' }],
  ['Did the checks pass? (8)', 'get_checks', { pull: 'ada/open#2' }],
]

test('tokens: the figures of the page are those of this test', async () => {
  const written = { body: sentence.repeat(6), labels, user: { login: 'ada' } }
  await using fake = await FakeGithub.start({
    [open]: repository('open'),
    [`${open}/pulls`]: many(2, (at) => pullRequest(at + 40, { title: titleOf(at), labels })),
    [`${open}/issues`]: many(14, (at) => item(at + 1, { title: titleOf(at), labels, comments: at })),
    [`${open}/issues/1`]: item(1, { ...written, title: titleOf(0), comments: 2 }),
    [`${open}/issues/1/comments`]: [comment(1), comment(2)],
    [`${open}/pulls/2`]: pullRequest(2, {
      ...written,
      title: titleOf(1),
      head: { ref: 'totals', label: 'ada:totals', sha },
    }),
    [`${open}/pulls/2/reviews`]: [],
    [`${open}/pulls/2/files`]: many(5, (at) => ({
      filename: `packages/checkout/src/total-${at}.ts`,
      status: 'modified',
      additions: 12,
      deletions: 3,
      patch: sentence.repeat(10),
    })),
    [`${open}/commits/${sha}/check-runs`]: {
      check_runs: many(8, (at) => ({
        id: 41_000_000_000 + at,
        name: `test (node ${18 + at})`,
        status: 'completed',
        conclusion: 'success',
        html_url: `https://github.com/ada/open/actions/runs/19000000000/job/${41_000_000_000 + at}`,
      })),
    },
    [`${open}/commits/${sha}/status`]: { statuses: [] },
  })
  await using client = await clientOf(fake)
  const page = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const numberIn = (text: string | undefined) => Number((text ?? '').replaceAll(' ', ''))
  const stated: { [question: string]: number } = {}
  const measured: { [question: string]: number } = {}
  for (const [question, tool, args] of questions) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${question} `))
    stated[question] = numberIn(row?.split('|')[2])
    measured[question] = tokensOfResult(await client.tools.call(tool as never, args as never))
  }
  stated.definitions = numberIn(/definitions of the twelve tools have ([\d ]+) tokens/.exec(page)?.[1])
  measured.definitions = tokensOfDefinitions(await client.tools.list().all())
  assert.deepEqual(stated, measured)
})
