import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning } from '@trunkline/base/is-running'
import { until } from '../../../../tools/lib/until.ts'
import { call, clientOf, TestRepository, writeHook } from './test-repository.ts'

interface Committed {
  readonly subject: string
  readonly hooksRun?: readonly string[]
  readonly hooksSkipped: readonly string[]
  readonly error?: { readonly code: string; readonly message: string }
}

const ranIn = ({ path }: TestRepository) =>
  existsSync(join(path, '.git/ran')) ? readFileSync(join(path, '.git/ran'), 'utf8') : ''

test('hooks: a hook runs when its exact text was accepted; changed, it does not run, and its new hash is told', async () => {
  using repository = new TestRepository({ 'a.txt': '1\n' })
  const hash = writeHook(repository, 'pre-commit', 'git diff --cached --name-only -- "*.txt" >> .git/ran')
  await using client = await clientOf(repository.path, { hooks: 'accepted', acceptHooks: [hash] })
  repository.write({ 'a.txt': '2\n' })
  const { effects } = await client.tools.preview('create_commit' as never, { message: 'x', paths: ['.'] } as never)
  assert.match(effects.join('\n'), /runs the hooks pre-commit/)
  assert.equal(ranIn(repository), '')
  const first = await call<Committed>(client, 'create_commit', { message: 'two', paths: ['.'] })
  assert.deepEqual([first.hooksRun, first.hooksSkipped, ranIn(repository)], [['pre-commit'], [], 'a.txt\n'])
  const other = writeHook(repository, 'pre-commit', 'echo changed >> .git/ran')
  repository.write({ 'a.txt': '3\n' })
  const second = await client.tools.call('create_commit' as never, { message: 'three', paths: ['.'] } as never)
  assert.deepEqual((second.structuredContent as unknown as Committed).hooksSkipped, ['pre-commit'])
  assert.match(JSON.stringify(second.content), new RegExp(`text that pre-commit has now: --accept-hook ${other}`))
  assert.equal(ranIn(repository), 'a.txt\n')
  // accepted hashes alone start nothing
  await using plain = await clientOf(repository.path, { acceptHooks: [other] })
  repository.write({ 'a.txt': '4\n' })
  assert.deepEqual((await call<Committed>(plain, 'create_commit', { message: 'four', paths: ['.'] })).hooksSkipped, [
    'pre-commit',
  ])
  assert.equal(ranIn(repository), 'a.txt\n')
})

test('hooks: the person is shown the texts and asked once; a text that changes meanwhile does not run', async () => {
  using repository = new TestRepository({ 'a.txt': '1\n' })
  const swap = "printf '#!/bin/sh\\necho swapped >> .git/ran\\n' > .git/hooks/commit-msg"
  writeHook(repository, 'pre-commit', swap)
  writeHook(repository, 'commit-msg', 'echo shown >> .git/ran')
  writeHook(repository, 'post-commit', 'echo declined >> .git/ran')
  const asked: string[] = []
  await using client = await clientOf(repository.path, { hooks: 'accepted' }, (message) => {
    asked.push(message)
    if (message.includes('echo late')) writeHook(repository, 'commit-msg', 'echo later >> .git/ran')
    return { answer: message.includes('post-commit') ? 'no' : 'yes' }
  })
  repository.write({ 'a.txt': '2\n' })
  const commit = (message: string) => call<Committed>(client, 'create_commit', { message, paths: ['.'] })
  const made = await commit('two')
  assert.deepEqual([made.hooksRun, made.hooksSkipped], [['pre-commit', 'commit-msg'], ['post-commit']])
  assert.equal(ranIn(repository), 'shown\n')
  assert.equal(asked.length, 3)
  assert.match(
    asked[1] ?? '',
    /^Run the hook "commit-msg" of "project"\?\n\| #!\/bin\/sh\n\| echo shown >> \.git\/ran\n/,
  )
  writeHook(repository, 'commit-msg', 'echo shown >> .git/ran')
  repository.write({ 'a.txt': '3\n' })
  await commit('three')
  assert.deepEqual([asked.length, ranIn(repository)], [3, 'shown\nshown\n'])
  writeHook(repository, 'commit-msg', 'echo late >> .git/ran')
  repository.write({ 'a.txt': '4\n' })
  assert.deepEqual((await commit('four')).error, {
    code: 'conflict',
    message: 'The text of a hook changed while the person was asked about it: commit-msg',
    next: 'Nothing was done, and no hook ran. Find out what changed it, then try again: the person is asked about the text that it has then',
  })
  assert.deepEqual([ranIn(repository), repository.git('log', '-1', '--format=%s')], ['shown\nshown\n', 'three'])
  assert.equal(asked.length, 4)
  await commit('four')
  assert.deepEqual([asked.length, ranIn(repository)], [5, 'shown\nshown\nlater\n'])
})

test('hooks: one that refuses, changes the files or does not end stops the commit; one for messages changes the message', async () => {
  using repository = new TestRepository({ 'a.txt': '1\n' })
  repository.write({ 'a.txt': '2\n' })
  const head = repository.git('rev-parse', 'HEAD')
  const commit = async (name: string, script: string, maxHookMs = 60_000) => {
    const acceptHooks = [writeHook(repository, name, script)]
    await using client = await clientOf(repository.path, { hooks: 'accepted', acceptHooks, limits: { maxHookMs } })
    return await call<Committed>(client, 'create_commit', { message: 'two', paths: ['.'] })
  }
  const refused = await commit('pre-commit', 'echo "no TODO, please" >&2; exit 1')
  assert.deepEqual(refused.error, {
    code: 'refused',
    message: 'The hook pre-commit refused: it says "no TODO, please"',
    next: 'Do what it asks for, and try again',
  })
  const changed = await commit('pre-commit', 'echo formatted > b.txt; git add b.txt')
  assert.match(changed.error?.message ?? '', /the hook pre-commit changed the files of the commit/)
  repository.git('clean', '-qf')
  const endless = await commit('pre-commit', 'sleep 1000 & echo $! > .git/pid; wait', 1_000)
  assert.match(endless.error?.message ?? '', /Cannot wait for "git hook": it took longer than 1 s/)
  const pid = Number(readFileSync(join(repository.path, '.git/pid'), 'utf8'))
  await until(() => !isRunning(pid))
  assert.deepEqual([repository.git('rev-parse', 'HEAD'), repository.git('diff', '--cached')], [head, ''])
  writeHook(repository, 'pre-commit', 'exit 1')
  const made = await commit('commit-msg', 'echo "Change-Id: I1" >> "$1"')
  assert.deepEqual([made.hooksRun, made.hooksSkipped], [['commit-msg'], ['pre-commit']])
  assert.equal(repository.git('log', '-1', '--format=%B'), 'two\nChange-Id: I1')
})

test('resolve: sample asks the model for each hunk, shows the proposals and changes nothing until they are named', async () => {
  using repository = new TestRepository({ 'a.txt': '1\n2\n3\n', 'bytes.bin': new Uint8Array([0, 1]) })
  repository.git('switch', '-q', '-c', 'topic')
  repository.write({ 'a.txt': '1\nTHEIRS\n3\n', 'bytes.bin': new Uint8Array([0, 2]) })
  repository.commit('theirs')
  repository.git('switch', '-q', 'main')
  repository.write({ 'a.txt': '1\nOURS\n3\n', 'bytes.bin': new Uint8Array([0, 3]) })
  const head = repository.commit('ours')
  await using without = await clientOf(repository.path, { resolve: 'sample' })
  const { plan } = await call<{ plan: string }>(without, 'merge_ref', { ref: 'topic' })
  assert.deepEqual(await call(without, 'merge_ref', { ref: 'topic', plan }), {
    error: {
      code: 'refused',
      message: 'Cannot propose resolutions: this client has no model that a server can ask',
      next: `Nothing was changed. Name "resolutions" for every hunk of the plan ${plan}`,
    },
  })
  const prompts: string[] = []
  await using client = await clientOf(repository.path, { resolve: 'sample' }, undefined, (prompt) => {
    prompts.push(prompt)
    return '```\nBOTH\n```'
  })
  const proposed = await call(client, 'merge_ref', { ref: 'topic', plan })
  const resolutions = [{ hunk: '1.1', text: 'BOTH\n' }]
  assert.deepEqual(proposed, { state: 'proposed', ref: 'topic', plan, resolutions, open: ['2.1'] })
  assert.deepEqual(prompts, ['{"path":"a.txt","line":2,"base":"2\\n","ours":"OURS\\n","theirs":"THEIRS\\n"}'])
  assert.deepEqual([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')], [head, ''])
  const all = { ref: 'topic', plan, resolutions: [...resolutions, { hunk: '2.1', take: 'theirs' }] }
  const { effects } = await client.tools.preview('merge_ref' as never, all as never)
  assert.match(effects.join('\n'), /hunk "1\.1": "BOTH\\n"\nhunk "2\.1": "theirs"/)
  assert.equal((await call(client, 'merge_ref', all)).state, 'done')
  assert.equal(readFileSync(join(repository.path, 'a.txt'), 'utf8'), '1\nBOTH\n3\n')
  assert.equal(prompts.length, 1)
})
