import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call, clientOf, codeOf, TestRepository } from './test-repository.ts'

interface Status {
  readonly branch?: string
  readonly state?: string
  readonly staged: readonly object[]
  readonly changed: readonly object[]
  readonly untracked: readonly string[]
  readonly conflicted: readonly object[]
}

interface Items {
  readonly items: readonly { readonly [name: string]: unknown }[]
  readonly next?: string
  readonly notes?: readonly string[]
}

test('get_status, stage_paths, create_commit: what was staged is committed, and the preview names tree and hooks', async () => {
  using repository = new TestRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  await using client = await clientOf(repository.path)
  repository.write({ 'a.txt': 'ONE\n', 'new name.txt': 'x\n' })
  writeFileSync(join(repository.path, '.git/hooks/pre-commit'), '#!/bin/sh\ntouch ran\nexit 1\n')
  chmodSync(join(repository.path, '.git/hooks/pre-commit'), 0o755)
  const before = await call<Status>(client, 'get_status')
  assert.deepEqual(
    [before.branch, before.changed, before.untracked],
    ['main', [{ path: 'a.txt', change: 'modified' }], ['new name.txt']],
  )
  const { staged, undo } = await call<Status & { undo: object }>(client, 'stage_paths', { paths: ['new name.txt'] })
  assert.deepEqual(staged, [{ path: 'new name.txt', change: 'added' }])
  assert.deepEqual(undo, { tool: 'stage_paths', arguments: { paths: ['new name.txt'], undo: true } })
  const args = { message: 'change "a"\n\nbody', paths: ['a.txt'] }
  const { effects } = await client.tools.preview('create_commit', args as never)
  const tree = /"tree":"([0-9a-f]{40})"/.exec(effects.at(-1) ?? '')?.[1]
  assert.match(effects.join('\n'), /commits 2 files to "main" in project as "change \\"a\\"[\s\S]*hooks pre-commit/)
  assert.equal(repository.git('diff', '--cached', '--name-only'), 'new name.txt')
  assert.equal(await codeOf(client, 'create_commit', { ...args, tree: 'f'.repeat(40) }), 'conflict')
  const made = await call(client, 'create_commit', { ...args, tree })
  assert.deepEqual(made, {
    sha: repository.git('rev-parse', 'HEAD'),
    subject: 'change "a"',
    files: 2,
    hooksSkipped: ['pre-commit'],
  })
  assert.equal(repository.git('rev-parse', 'HEAD^{tree}'), tree)
  assert.equal(repository.git('status', '--porcelain'), '')
  assert.equal(await codeOf(client, 'create_commit', { message: 'again' }), 'conflict')
})

test('list_commits: pages by a cursor, filters by author, text, path and date, and says how far it looked', async () => {
  using repository = new TestRepository()
  const changes = Array.from({ length: 31 }, (_, at) => {
    const [message, text] = [at === 0 ? 'first' : `change ${at}`, `${at}\n`]
    const [author, date] = [at % 2 ? 'Bob <bob@x.org>' : 'Eve <eve@x.org>', `${1_760_000_000 + at} +0000`]
    const people = `author ${author} ${date}\ncommitter Ada <ada@example.org> ${date}\n`
    const file = `M 100644 inline ${at % 3 === 0 ? 'a.txt' : 'b.txt'}\ndata ${text.length}\n${text}\n`
    return `commit refs/heads/main\n${people}data ${message.length}\n${message}\n${file}`
  })
  repository.fastImport(changes.join(''))
  await using client = await clientOf(repository.path, { limits: { maxWalkedCommits: 10 } })
  const subjects = ({ items }: Items) => items.map(({ subject }) => subject)
  const first = await call<Items>(client, 'list_commits', {})
  const second = await call<Items>(client, 'list_commits', { cursor: first.next })
  assert.deepEqual([...subjects(first), ...subjects(second)], repository.git('log', '--format=%s').split('\n'))
  const touching: unknown[] = []
  let page: Items | undefined
  do {
    page = await call<Items>(client, 'list_commits', {
      path: 'a.txt',
      author: 'bob',
      ...(page && { cursor: page.next }),
    })
    touching.push(...subjects(page))
    if (page.next !== undefined) assert.match(page.notes?.[0] ?? '', /^looked at 10 commits, back to 20/)
  } while (page.next !== undefined)
  assert.deepEqual(touching, ['change 27', 'change 21', 'change 15', 'change 9', 'change 3'])
  const { items } = await call<Items>(client, 'list_commits', { text: 'CHANGE 30', fields: ['email'] })
  assert.deepEqual(
    items.map(({ email }) => email),
    ['eve@x.org'],
  )
  const since = new Date(Number(repository.git('log', '-1', '--format=%ct', 'HEAD~2')) * 1_000).toISOString()
  assert.deepEqual(subjects(await call(client, 'list_commits', { since })), ['change 30', 'change 29', 'change 28'])
  assert.equal(await codeOf(client, 'list_commits', { since: '--all' }), 'refused')
})

test('show_commit, show_diff, show_blame, list_refs: what git says, with renames and files that are no text', async () => {
  using repository = new TestRepository({ 'a.txt': 'one\ntwo\nthree\n', 'bytes.bin': new Uint8Array([0, 1, 2]) })
  repository.git('mv', 'a.txt', 'ä b.txt')
  repository.write({ 'bytes.bin': new Uint8Array([0, 9, 9, 9]) })
  const sha = repository.commit('moved\n\nand why')
  await using client = await clientOf(repository.top)
  const shown = await call<{ files: object[]; patch: string; message: string }>(client, 'show_commit', {
    repo: 'project',
    ref: 'HEAD',
    patch: true,
  })
  assert.deepEqual(shown.files, [
    { path: 'bytes.bin', change: 'modified' },
    { path: 'ä b.txt', change: 'renamed', from: 'a.txt', added: 0, removed: 0 },
  ])
  assert.equal(shown.message, 'moved\n\nand why')
  assert.match(shown.patch, /Binary files .* differ/)
  repository.write({ 'ä b.txt': 'one\n2\nthree\n' })
  assert.deepEqual((await call<{ files: object[] }>(client, 'show_diff', { repo: 'project' })).files, [
    { path: 'ä b.txt', change: 'modified', added: 1, removed: 1 },
  ])
  assert.deepEqual((await call<{ files: object[] }>(client, 'show_diff', { repo: 'project', staged: true })).files, [])
  repository.commit('second line')
  const { items: runs } = await call<Items>(client, 'show_blame', {
    repo: 'project',
    path: 'ä b.txt',
    from: 1,
    lines: 3,
  })
  assert.deepEqual(
    runs.map(({ from, lines, subject }) => [from, lines, subject]),
    [
      [1, 1, 'first'],
      [2, 1, 'second line'],
      [3, 1, 'first'],
    ],
  )
  repository.git('tag', 'v1', sha)
  const tags = await call<Items>(client, 'list_refs', { repo: 'project', kind: 'tag', fields: ['subject'] })
  assert.deepEqual(
    tags.items.map(({ name, subject }) => [name, subject]),
    [['v1', 'moved']],
  )
  const missing = await call(client, 'show_commit', { repo: 'project', ref: 'v2' })
  assert.deepEqual(missing, {
    error: {
      code: 'not_found',
      message: 'Cannot find "v2": no branch, tag or commit has that name',
      nearest: ['"v1"'],
      next: 'List them with list_refs',
    },
  })
})

test('switch_branch: refuses, carries or stashes changed files, and names the way back', async () => {
  using repository = new TestRepository({ 'a.txt': 'one\n' })
  await using client = await clientOf(repository.path)
  assert.deepEqual(await call(client, 'switch_branch', { name: 'topic/x', create: true }), {
    branch: 'topic/x',
    undo: { tool: 'switch_branch', arguments: { name: 'main' } },
  })
  repository.write({ 'a.txt': 'changed\n' })
  assert.equal(await codeOf(client, 'switch_branch', { name: 'main' }), 'conflict')
  await call(client, 'switch_branch', { name: 'main', changes: 'carry' })
  assert.equal(repository.git('status', '--porcelain', '--branch').split('\n')[0], '## main')
  const { stashed } = await call(client, 'switch_branch', { name: 'topic/x', changes: 'stash' })
  assert.equal(stashed, repository.git('rev-parse', 'refs/stash'))
  assert.equal(readFileSync(join(repository.path, 'a.txt'), 'utf8'), 'one\n')
  const { items } = await call<Items>(client, 'list_refs', { kind: 'stash' })
  assert.equal(items.length, 1)
})

const forked = (): TestRepository => {
  const repository = new TestRepository({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'gone.txt': 'x\n' })
  repository.git('switch', '-q', '-c', 'topic')
  repository.write({ 'a.txt': '1\nTHEIRS\n3\n4\n5\n6\n7\nTHEIRS\n9\n', 'gone.txt': 'y\n', 'new.txt': 'n\n' })
  repository.commit('theirs')
  repository.git('switch', '-q', 'main')
  repository.write({ 'a.txt': '1\nOURS\n3\n4\n5\n6\n7\nOURS\n9\n' })
  repository.git('rm', '-q', 'gone.txt')
  repository.commit('ours')
  return repository
}

interface Plan {
  readonly state: string
  readonly plan: string
  readonly conflicts: readonly {
    path: string
    kind: string
    hunks: readonly { hunk: string; ours?: string; theirs?: string; line?: number }[]
  }[]
}

test('merge_ref: shows conflicts as hunks and changes nothing, then merges exactly that plan', async () => {
  using repository = forked()
  await using client = await clientOf(repository.path)
  const { state, plan, conflicts } = await call<Plan>(client, 'merge_ref', { ref: 'topic' })
  assert.equal(state, 'conflicts')
  assert.deepEqual(
    conflicts.map(({ path, kind, hunks }) => [path, kind, hunks.map(({ line }) => line)]),
    [
      ['a.txt', 'contents', [2, 8]],
      ['gone.txt', 'modify/delete', [undefined]],
    ],
  )
  assert.equal(repository.git('status', '--porcelain'), '')
  assert.equal(
    await codeOf(client, 'merge_ref', { ref: 'topic', plan, resolutions: [{ hunk: '1.1', take: 'ours' }] }),
    'conflict',
  )
  const resolutions = [
    { hunk: '1.1', take: 'both' },
    { hunk: '1.2', text: 'MINE' },
    { hunk: '2.1', take: 'theirs' },
  ]
  const done = await call(client, 'merge_ref', { ref: 'topic', plan, resolutions, message: 'join' })
  assert.deepEqual(done, { state: 'done', sha: repository.git('rev-parse', 'HEAD'), hooksSkipped: [] })
  assert.equal(readFileSync(join(repository.path, 'a.txt'), 'utf8'), '1\nOURS\nTHEIRS\n3\n4\n5\n6\n7\nMINE\n9\n')
  assert.equal(readFileSync(join(repository.path, 'gone.txt'), 'utf8'), 'y\n')
  assert.equal(repository.git('log', '-1', '--format=%s %P').split(' ').length, 3)
  assert.equal(repository.git('status', '--porcelain'), '')
  assert.equal((await call<Plan>(client, 'merge_ref', { ref: 'topic' })).state, 'upToDate')
})

test('merge_ref: a plan of other commits is refused, and nothing is changed', async () => {
  using repository = forked()
  await using client = await clientOf(repository.path)
  const { plan } = await call<Plan>(client, 'merge_ref', { ref: 'topic' })
  appendFileSync(join(repository.path, 'a.txt'), 'more\n')
  const head = repository.commit('meanwhile')
  assert.equal(await codeOf(client, 'merge_ref', { ref: 'topic', plan, resolutions: [] }), 'conflict')
  assert.equal(repository.git('rev-parse', 'HEAD'), head)
})

test('bad input: no repository, detached head, half a merge, no commit yet', async () => {
  using repository = forked()
  await using client = await clientOf(repository.top)
  const told = async (tool: string, args: object): Promise<readonly (string | undefined)[]> => {
    const { error } = await call<{ error?: { code: string; message: string; next?: string } }>(client, tool, {
      ...args,
    })
    return [error?.code, error?.message, error?.next]
  }
  const state = () => [repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain=v2')]
  assert.deepEqual(await told('get_status', {}), [
    'not_found',
    'Cannot use ".": it is not in a git repository',
    'Name the folder of a repository as "repo", or make one: git init',
  ])
  const repo = 'project'
  repository.exitCode('merge', 'topic')
  const status = await call<Status>(client, 'get_status', { repo })
  assert.deepEqual([status.state, status.conflicted.length], ['merging', 2])
  const merging = state()
  for (const [tool, verb, args] of [
    ['create_commit', 'commit', { message: 'x' }],
    ['switch_branch', 'switch', { name: 'topic' }],
    ['merge_ref', 'merge', { ref: 'topic' }],
  ] as const)
    assert.deepEqual(await told(tool, { repo, ...args }), [
      'conflict',
      `Cannot ${verb}: the repository is in the midst of merging`,
      'Finish it by hand, or end it: git merge --abort',
    ])
  assert.deepEqual(state(), merging)
  repository.git('merge', '--abort')
  repository.git('switch', '-q', '--detach')
  repository.git('remote', 'add', 'origin', 'https://example.org/x.git')
  const detached = state()
  assert.equal((await call<Status>(client, 'get_status', { repo })).branch, undefined)
  assert.deepEqual(await told('push_branch', { repo }), [
    'conflict',
    'Cannot push: no branch is checked out',
    'Name a "branch", or make one: switch_branch',
  ])
  assert.deepEqual(state(), detached)
  using empty = new TestRepository()
  await using other = await clientOf(empty.path)
  assert.equal((await call<Status>(other, 'get_status')).branch, 'main')
  assert.equal(await codeOf(other, 'list_commits'), 'not_found')
  empty.write({ 'a.txt': 'a' })
  await call(other, 'create_commit', { message: 'first', paths: ['.'] })
  assert.equal(empty.git('log', '--format=%s'), 'first')
})

test('bad input: a binary file in conflict is taken whole; both sides of it are refused, and nothing is changed', async () => {
  using repository = new TestRepository({ 'bytes.bin': new Uint8Array([0, 1]) })
  repository.git('switch', '-q', '-c', 'topic')
  repository.write({ 'bytes.bin': new Uint8Array([0, 2]) })
  repository.commit('theirs')
  repository.git('switch', '-q', 'main')
  repository.write({ 'bytes.bin': new Uint8Array([0, 3]) })
  const head = repository.commit('ours')
  await using client = await clientOf(repository.path)
  const { plan, conflicts } = await call<Plan>(client, 'merge_ref', { ref: 'topic' })
  assert.deepEqual(conflicts, [{ path: 'bytes.bin', kind: 'binary', hunks: [{ hunk: '1.1' }] }])
  const merge = (take: string) =>
    call(client, 'merge_ref', { ref: 'topic', plan, resolutions: [{ hunk: '1.1', take }] })
  assert.deepEqual(await merge('both'), {
    error: {
      code: 'refused',
      message: 'Cannot take both sides of "bytes.bin": it is taken whole',
      next: 'Take "ours" or "theirs"',
    },
  })
  assert.deepEqual([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')], [head, ''])
  assert.equal((await merge('theirs')).state, 'done')
  assert.deepEqual([...readFileSync(join(repository.path, 'bytes.bin'))], [0, 2])
})

test('create_commit: a file that changes within the second of the commit before, and keeps its size, is committed', async () => {
  using repository = new TestRepository({ 'a.txt': '0\n' })
  await using client = await clientOf(repository.path)
  for (let at = 1; at <= 5; at++) {
    repository.write({ 'a.txt': `${at}\n` })
    assert.equal((await call(client, 'create_commit', { message: `${at}`, paths: ['.'] })).files, 1)
  }
})
