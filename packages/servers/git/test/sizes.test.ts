import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokensOfDefinitions, tokensOfResult } from '@trunkline/server-kit/testing'
import { clientOf, TestRepository } from './test-repository.ts'

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} of a long, long line`).join(' ')

test('sizes: definitions within 3 000 tokens, lists within 1 500, one thing within 2 500, whatever the repository has', async () => {
  using repository = new TestRepository()
  const commits = Array.from({ length: 60 }, (_, at) => {
    const message = `${words(12)} ${at}\n\n${words(300)}`
    const files = Array.from(
      { length: 60 },
      (_, file) => `M 100644 inline folder-${file}/some-file-${file}.ts\ndata <<E\n${words(20)} ${at}\nE\n`,
    ).join('')
    const branch = `commit refs/heads/main\nmark :${at + 1}\ncommitter Somebody With A Long Name <${at}@example.org> ${1_700_000_000 + at} +0000\n`
    return `${branch}data ${Buffer.byteLength(message)}\n${message}\n${at > 0 ? `from :${at}\n` : ''}${files}\nreset refs/heads/a-branch-with-a-long-name/${at}\nfrom :${at + 1}\n\n`
  })
  repository.fastImport(commits.join(''))
  repository.git('reset', '-q', '--hard')
  repository.write(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`new-${at}.txt`, 'x'])))
  repository.write(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`folder-${at}/some-file-${at}.ts`, `${words(500)}\n`])),
  )
  await using client = await clientOf(repository.path)
  const tools = await client.tools.list().all()
  assert.equal(tools.length, 12)
  const definitions = tokensOfDefinitions(tools)
  assert.ok(definitions <= 3_000, `definitions: ${definitions} tokens`)
  const limits: readonly (readonly [tool: string, args: object, most: number])[] = [
    ['list_commits', {}, 1_500],
    ['list_refs', {}, 1_500],
    ['get_status', {}, 2_500],
    ['show_commit', { ref: 'HEAD' }, 2_500],
    ['show_commit', { ref: 'HEAD', patch: true }, 2_500],
    ['show_diff', {}, 2_500],
    ['show_diff', { patch: true }, 2_500],
    ['show_blame', { path: 'folder-1/some-file-1.ts', from: 1, lines: 1 }, 2_500],
  ]
  for (const [tool, args, most] of limits) {
    const result = await client.tools.call(tool as never, args as never)
    const tokens = tokensOfResult(result)
    assert.ok(!result.isError && tokens <= most, `${tool} ${JSON.stringify(args)}: ${tokens} tokens`)
  }
})

test('resources: commits, differences, files, blame and status, with completion, and subscribers hear of changes', async () => {
  using repository = new TestRepository({ 'src/a.txt': 'one\n', 'bytes.bin': new Uint8Array([0, 1]) })
  const sha = repository.git('rev-parse', 'HEAD')
  await using client = await clientOf(repository.top, { lookEveryMs: 50 })
  const read = async (uri: string) => (await client.resources.read(uri)).contents[0] as { text?: string; blob?: string }
  assert.match(
    (await read(`git://project/commit/${sha}`)).text ?? '',
    /^commit [0-9a-f]{40}\nAda <ada@example.org>[\s\S]*added src\/a.txt \+1 -0/,
  )
  assert.match((await read('git://project/commit/main/diff')).text ?? '', /\+one/)
  assert.equal((await read('git://project/file/main/src/a.txt')).text, 'one\n')
  assert.equal((await read('git://project/file/HEAD/bytes.bin')).blob, 'AAE=')
  assert.equal((await read('git://project/file/HEAD/src')).text, 'src/a.txt')
  assert.match((await read('git://project/blame/HEAD/src/a.txt')).text ?? '', /^1-1 [0-9a-f]{12} .* Ada: first$/)
  await assert.rejects(read('git://project/file/HEAD/../outside'), /not/)
  const complete = async (uri: string, name: string, value: string, others: { [name: string]: string } = {}) =>
    (await client.complete({ template: uri, argument: name }, value, others)).values
  const template = 'git://{repo}/file/{ref}/{+path}'
  assert.deepEqual(await complete(template, 'repo', 'pro'), ['project'])
  assert.deepEqual(await complete(template, 'ref', 'ma', { repo: 'project' }), ['main'])
  assert.deepEqual(await complete(template, 'path', 'src/', { repo: 'project', ref: 'main' }), ['src/a.txt'])
  assert.deepEqual(await complete('git://{repo}/commit/{sha}', 'sha', sha.slice(0, 5), { repo: 'project' }), [sha])
  const listed = (await client.resources.list().all()).map(({ uri }) => uri)
  assert.deepEqual(listed, ['git://project/status'])
  const heard = new EventTarget()
  const change = () => once(heard, 'change', { signal: AbortSignal.timeout(30_000) })
  const first = change()
  await using _ = await client.resources.watch('git://project/status', () => heard.dispatchEvent(new Event('change')))
  await first
  const second = change()
  writeFileSync(join(repository.path, 'src/a.txt'), 'two\n')
  await second
  assert.match((await read('git://project/status')).text ?? '', /changed: modified src\/a.txt/)
})
