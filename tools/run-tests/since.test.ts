import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readUses } from '../lib/reach.ts'
import { changedSince, pickSince } from './since.ts'

const files = [
  { path: 'src/a.ts', text: '' },
  { path: 'src/b.ts', text: '' },
  { path: 'src/a.test.ts', text: "import './a.ts'" },
  { path: 'src/b.test.ts', text: "import './b.ts'" },
]
const tests = ['src/a.test.ts', 'src/b.test.ts']
const pick = (...changed: string[]) => pickSince(changed, tests, readUses(files))

test('pickSince: the tests that lead to what changed, and those that changed', () => {
  assert.deepEqual(pick('src/a.ts'), { files: ['src/a.test.ts'] })
  assert.deepEqual(pick('src/b.test.ts'), { files: ['src/b.test.ts'] })
  assert.deepEqual(pick('src/a.ts', 'src/b.ts').files, tests)
  assert.deepEqual(pick(), { files: [] })
})

test('pickSince: all of them where no test is known to lead to a change; a document is for the checks', () => {
  assert.deepEqual(pick('package-lock.json'), {
    files: tests,
    why: 'no test is known to lead to package-lock.json',
  })
  assert.deepEqual(pick('docs/host.md'), { files: [] })
})

test('changedSince: what differs from a revision, and what is new; an unknown revision is an error', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'since-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: folder })
  git('init', '--quiet')
  for (const name of ['kept.ts', 'changed.ts', 'removed.ts']) writeFileSync(join(folder, name), '')
  git('add', '.')
  git('commit', '--quiet', '-m', 'x')
  writeFileSync(join(folder, 'changed.ts'), '1')
  writeFileSync(join(folder, 'new one.ts'), '1')
  rmSync(join(folder, 'removed.ts'))
  assert.deepEqual(changedSince('HEAD', folder), ['changed.ts', 'new one.ts', 'removed.ts'])
  assert.throws(() => changedSince('nowhere', folder), /Cannot tell what changed since "nowhere": /)
})
