import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCursor } from '@trunkline/server-kit/cursor'
import { type HostileRepository, hostileLinks, hostileRemotes, hostileSettings } from './hostile-repositories.ts'
import { call, clientOf, TestRepository } from './test-repository.ts'

const original = new TestRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
original.git('switch', '-q', '-c', 'topic')
original.write({ 'a.txt': 'topic\n' })
original.commit('topic')
original.git('switch', '-q', 'main')
original.write({ 'a.txt': 'ours\n' })
original.commit('ours')
process.on('exit', () => original[Symbol.dispose]())

/** A copy of one repository, with a changed file and a secret beside it. */
function prepared(): { readonly repository: TestRepository; readonly mark: string; readonly run: string } {
  const repository = original.copy()
  repository.write({ 'a.txt': 'changed\n' })
  writeFileSync(join(repository.outside, 'secret.txt'), 'OUTSIDE <ada@example.org>\n')
  const mark = join(repository.outside, '..', 'mark')
  return { repository, mark, run: `touch ${mark}` }
}

for (const hostile of [...hostileSettings, ...hostileRemotes, ...hostileLinks])
  test(`hostile repository: ${hostile.name}`, () => tryRepository(hostile))

async function tryRepository({ plant, calls, falls }: HostileRepository): Promise<void> {
  const { repository, mark, run } = prepared()
  using _ = repository
  plant(repository, run)
  const before = outsideOf(repository)
  await using client = await clientOf(repository.path)
  for (const [tool, args, code] of calls) {
    const result = await client.tools.call(tool as never, args as never)
    const text = JSON.stringify(result)
    assert.equal(
      (result.structuredContent as unknown as { error?: { code: string } } | undefined)?.error?.code,
      code,
      `${tool}: ${text}`,
    )
    assert.ok(!text.includes('OUTSIDE'), `${tool} tells what lies outside: ${text}`)
  }
  assert.ok(!existsSync(mark), 'a program of the repository ran')
  assert.deepEqual(outsideOf(repository), before)
  if (falls === undefined) return
  // the trap is live: plain git falls for it
  repository.exitCode(...falls)
  assert.ok(existsSync(mark), 'plain git does not run it either')
}

function outsideOf({ outside }: TestRepository): readonly string[] {
  const names = readdirSync(outside, { recursive: true, withFileTypes: true })
  return names.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return `${path} ${entry.isFile() ? readFileSync(path, 'base64') : ''}`
  })
}

const refs = [
  '--output=mark',
  '-p',
  'HEAD --all',
  ':/first',
  'HEAD:a.txt',
  '@{-1}',
  'main..topic',
  '^main',
  'a\0b',
  'a\nb',
  'HEAD^{/x}',
  '',
  '@',
  'main.lock',
  'a//b',
  '.x',
  '~1',
]
const hostileArguments: readonly (readonly [tool: string, args: { readonly [name: string]: unknown }])[] = [
  ...refs.flatMap((ref) => [['show_commit', { ref }] as const, ['list_commits', { ref }] as const]),
  ...refs
    .slice(0, 4)
    .flatMap((ref) => [
      ['show_diff', { from: ref }] as const,
      ['merge_ref', { ref }] as const,
      ['show_blame', { path: 'a.txt', from: 1, lines: 1, ref }] as const,
    ]),
  ...['-f', '--orphan=x', 'a b', 'HEAD', '@', 'refs/heads/x', '-', 'x..y', 'x~1'].flatMap((name) => [
    ['switch_branch', { name, create: true, changes: 'carry' }] as const,
    ['push_branch', { branch: name }] as const,
  ]),
  ...[
    '../outside/secret.txt',
    '/etc/passwd',
    '.git/config',
    '.GIT/config',
    '.g\u200cit/x',
    'a\0b',
    '--all',
    ':(top)',
    ':!a.txt',
    '*.txt',
  ].flatMap((path) => [
    ['stage_paths', { paths: [path] }] as const,
    ['create_commit', { message: 'x', paths: [path] }] as const,
  ]),
  ...['../outside/secret.txt', '/etc/passwd'].map((path) => ['show_blame', { path, from: 1, lines: 1 }] as const),
  ...['--upload-pack=touch', 'ext::sh -c touch', 'https://example.org/x', '-x', '.'].map(
    (remote) => ['fetch_remote', { remote }] as const,
  ),
  ...['../outside', '/etc', '-C', '\0', 'nowhere'].map((repo) => ['get_status', { repo }] as const),
  ['list_commits', { cursor: makeCursor(['HEAD', null, null, null, null, null], ['--output=mark', 0]) }],
  ['list_commits', { since: '--all' }],
  ['create_commit', { message: '\n \n' }],
]

test(`hostile arguments: ${hostileArguments.length} calls are refused, and nothing has changed`, async () => {
  const { repository, mark } = prepared()
  using _ = repository
  await using client = await clientOf(repository.path)
  const state = () => [
    repository.git('for-each-ref'),
    repository.git('status', '--porcelain'),
    repository.git('symbolic-ref', 'HEAD'),
  ]
  const before = state()
  for (const [tool, args] of hostileArguments) {
    const result = await client.tools.call(tool as never, args as never)
    assert.equal(result.isError, true, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}`)
  }
  assert.deepEqual(state(), before)
  assert.ok(!existsSync(mark))
  assert.deepEqual(readdirSync(repository.path).sort(), ['.git', 'a.txt', 'b.txt'])
})

test('hostile words: what looks like an option is taken as text', async () => {
  const { repository } = prepared()
  using _ = repository
  await using client = await clientOf(repository.path)
  for (const text of ['--output=mark', '-p', '$(touch mark)', '`touch mark`']) {
    const found = await client.tools.call('list_commits' as never, { author: text, text } as never)
    assert.deepEqual(found.structuredContent, { items: [] })
    await client.tools.call('create_commit' as never, { message: text, paths: ['a.txt'] } as never)
    assert.equal(repository.git('log', '-1', '--format=%B'), text)
    repository.write({ 'a.txt': text })
  }
  assert.deepEqual(readdirSync(repository.path).sort(), ['.git', 'a.txt', 'b.txt'])
})

test('hostile environment: variables that lead git elsewhere are dropped', async () => {
  const { repository, mark } = prepared()
  using _ = repository
  const names = {
    GIT_DIR: '/nowhere',
    GIT_INDEX_FILE: '/nowhere',
    GIT_EXTERNAL_DIFF: `touch ${mark}`,
    GIT_CONFIG_PARAMETERS: "'alias.x'='!x'",
  }
  Object.assign(process.env, names)
  try {
    await using client = await clientOf(repository.path)
    const { files } = await call<{ files: object[] }>(client, 'show_diff', { patch: true })
    assert.equal(files.length, 1)
    assert.ok(!existsSync(mark))
  } finally {
    for (const name of Object.keys(names)) delete process.env[name]
  }
})

test('hostile names: control characters, options and bytes that are no UTF-8 stay data', async () => {
  const { repository } = prepared()
  using _ = repository
  rmSync(join(repository.path, 'a.txt'))
  const names = ['--force', 'line\nbreak', '-', 'a\tb', ' ', '\u202eevil', 'é', 'e\u0301']
  repository.write(Object.fromEntries(names.map((name) => [name, 'x'])))
  writeFileSync(Buffer.concat([Buffer.from(`${repository.path}/`), Buffer.from([0xff, 0xfe])]), 'x')
  await using client = await clientOf(repository.path)
  const made = await call<{ files: number }>(client, 'create_commit', { message: 'names', paths: ['.'] })
  assert.equal(made.files, names.length + 2)
  const shown = await call<{ files: { path: string }[] }>(client, 'show_commit', { ref: 'HEAD' })
  const paths = shown.files.map(({ path }) => path)
  for (const name of names) assert.ok(paths.includes(name), JSON.stringify(name))
})
