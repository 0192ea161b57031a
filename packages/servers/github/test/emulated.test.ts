import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { createEmulator, type Emulator } from 'emulate'
import { call, clientOf, previewOf, problemOf } from './test-client.ts'

const seed = {
  tokens: { good: { login: 'ada', scopes: ['repo', 'user'] } },
  github: {
    users: [{ login: 'ada' }],
    repos: [
      { owner: 'ada', name: 'open', auto_init: true },
      { owner: 'ada', name: 'secret', private: true, auto_init: true },
    ],
  },
}

let emulator: Emulator

before(async () => {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  emulator = await createEmulator({ service: 'github', port, seed: seed as never })
})
after(() => emulator.close())

/** The state of the emulator, asked without the server under test. */
async function state<Result = { readonly [name: string]: unknown }>(
  path: string,
  method = 'GET',
  body?: object,
): Promise<Result> {
  const headers = { authorization: 'token good', 'content-type': 'application/json' }
  const response = await fetch(`${emulator.url}/repos/ada/open${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Result
}

test('an issue and its comment: what the tools say is what GitHub has, and undo takes it back', async () => {
  await using client = await clientOf({ url: emulator.url })
  assert.match(client.instructions ?? '', /account ada; writes to ada\/\*/)
  const { number, undo } = await call(client, 'create_issue', {
    repo: 'ada/open',
    title: 'It fails',
    body: 'Why?',
    labels: ['bug'],
  })
  const issue = `https://${new URL(emulator.url).host}/ada/open/issues/${number}`
  await call(client, 'add_comment', { item: issue, text: 'Because' })
  assert.deepEqual((await call(client, 'update_issue', { issue, title: 'It failed' })).changed, ['title'])
  const made = await state<{ title: string; state: string; comments: number }>(`/issues/${number}`)
  assert.deepEqual([made.title, made.state, made.comments], ['It failed', 'open', 1])
  const shown = await call<{ comments: readonly { text: string }[]; labels: readonly string[] }>(client, 'get_issue', {
    issue,
  })
  assert.deepEqual([shown.comments[0]?.text, shown.labels], ['Because', ['bug']])
  const { tool, arguments: back } = undo as { tool: string; arguments: { [name: string]: unknown } }
  await call(client, tool, back)
  assert.equal((await state(`/issues/${number}`)).state, 'closed')
})

test('a pull request: the preview shows commits, files and difference; review and merge are bound to the head', async () => {
  await using client = await clientOf({ url: emulator.url })
  const { object } = await state<{ object: { sha: string } }>('/git/ref/heads/main')
  await state('/git/refs', 'POST', { ref: 'refs/heads/topic/a', sha: object.sha })
  const content = Buffer.from('one\ntwo\n').toString('base64')
  await state('/contents/src/a.txt', 'PUT', { message: 'adds a file', content, branch: 'topic/a' })
  const args = { repo: 'ada/open', title: 'Adds a file', head: 'topic/a', draft: false }
  const preview = await previewOf(client, 'create_pull', args)
  for (const part of [
    /"topic\/a" → "main"/,
    /1 commits, 1 files/,
    /"adds a file"/,
    /"\+two"/,
    /in ada\/open \(public/,
    /as ada/,
  ])
    assert.match(preview, part)
  const { number } = await call(client, 'create_pull', args)
  const pull = `ada/open#${number}`
  const { head } = await state<{ head: { sha: string } }>(`/pulls/${number}`)
  assert.equal((await problemOf(client, 'merge_pull', { pull, sha: 'f'.repeat(40) }))?.code, 'conflict')
  await call(client, 'review_pull', { pull, sha: head.sha, event: 'comment', text: 'Good' })
  assert.equal((await state<readonly object[]>(`/pulls/${number}/reviews`)).length, 1)
  const file = await call(client, 'get_file', {
    repo: 'ada/open',
    path: 'src/a.txt',
    ref: 'topic/a',
    from: 2,
    lines: 1,
  })
  assert.equal(file.text, 'two')
  await call(client, 'merge_pull', { pull, sha: head.sha })
  assert.equal((await state(`/pulls/${number}`)).merged, true)
  const complete = async (argument: string, start: string) =>
    (
      await client.complete({ template: 'github://{owner}/{repo}/file/{ref}/{+path}', argument }, start, {
        owner: 'ada',
        repo: 'open',
        ref: 'main',
      })
    ).values
  assert.deepEqual([await complete('repo', 'op'), await complete('path', 'src/')], [['open'], ['src/a.txt']])
  const { contents } = await client.resources.read('github://ada/open/file/main/src/a.txt')
  assert.equal((contents[0] as { text: string }).text, 'one\ntwo\n')
})

test('text from a private repository reaches a public one only after a yes that names both', async () => {
  const questions: string[] = []
  const answers = ['no', 'yes'] as const
  await using client = await clientOf({ url: emulator.url }, (message) => answers[questions.push(message) - 1] ?? 'no')
  const args = { repo: 'ada/open', title: 'News' }
  await call(client, 'get_file', { repo: 'ada/secret', path: 'README.md' })
  assert.match(await previewOf(client, 'create_issue', args), /crosses from private ada\/secret to public ada\/open/)
  const count = async () => (await state<readonly object[]>('/issues?state=all')).length
  const first = await count()
  assert.equal((await problemOf(client, 'create_issue', args))?.code, 'refused')
  assert.equal(await count(), first)
  await call(client, 'create_issue', args)
  assert.equal(await count(), first + 1)
  assert.ok(questions.length === 2 && questions.every((text) => /ada\/open[\s\S]*ada\/secret/.test(text)))
  await using silent = await clientOf({ url: emulator.url })
  await call(silent, 'get_file', { repo: 'ada/secret', path: 'README.md' })
  assert.match((await problemOf(silent, 'create_issue', args))?.message ?? '', /this client cannot ask/)
})
