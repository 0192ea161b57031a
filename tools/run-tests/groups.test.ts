import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUses } from '../lib/reach.ts'
import { groupFiles, shareable } from './groups.ts'

const touching = {
  'sets a variable': "process.env.HOME = '/'",
  'ends the process': 'process.exit(1)',
  'measures memory': 'process.memoryUsage()',
  'replaces a global': 'globalThis.fetch = other',
  'has a hook for the whole file': 'after(() => {})',
  'uses a helper that sets a variable': "import './helper.ts'",
  'starts a copy of this process with its flags': 'const child = fork(program)',
  'uses a module of the whole process': "import { getHeapStatistics } from 'node:v8'",
}
const harmless = {
  'reads a variable': 'const home = process.env.HOME',
  'starts a copy of this process with other flags': 'const child = fork(program, [], { execArgv: [] })',
  'reads a global': 'const { setTimeout } = globalThis',
  'holds a program for others in a text': 'const program = `process.exit(1)`',
  'does so only as a program itself': 'export const one = 1\nif (import.meta.main) {\n  process.exit(1)\n}',
  'sets how long a page may take': 'context.setDefaultTimeout(1_000)',
  'mocks in its own context': "context.mock.timers.enable({ apis: ['Date'] })",
}
const helper = { path: 'packages/x/test/helper.ts', text: 'delete process.env.HOME' }

function shares(text: string): boolean {
  const files = [{ path: 'packages/x/test/a.test.ts', text }, helper]
  return shareable(['packages/x/test/a.test.ts'], files, readUses(files)).size === 1
}

for (const [what, text] of Object.entries(touching))
  test(`shareable: a file that ${what} has a process of its own`, () => assert.equal(shares(text), false))
for (const [what, text] of Object.entries(harmless))
  test(`shareable: a file that ${what} may share`, () => assert.equal(shares(text), true))

test('shareable: files that use the same helper with a hook of its own share among themselves', () => {
  const files = [
    { path: 'packages/x/test/a.test.ts', text: "import './leaks.ts'" },
    { path: 'packages/x/test/b.test.ts', text: 'export {}' },
    { path: 'packages/x/test/leaks.ts', text: 'after(() => {})' },
  ]
  const tests = ['packages/x/test/a.test.ts', 'packages/x/test/b.test.ts']
  assert.deepEqual([...shareable(tests, files, readUses(files)).values()], ['packages/x/test/leaks.ts', ''])
})

test('groupFiles: every file once, few in a process where they wait, each with its kind, and these first', () => {
  const files = ['x/src', 'x/test'].flatMap((folder) =>
    Array.from({ length: 30 }, (_, at) => `${folder}/${at}.test.ts`),
  )
  const sharing = new Map([...files.map((file) => [file, ''] as const), ['leaks.test.ts', 'leaks.ts']])
  const groups = groupFiles(['alone.test.ts', 'leaks.test.ts', ...files], sharing)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [1, 10, 10, 10, 1, 15, 15],
  )
  assert.equal(new Set(groups.flat()).size, 62)
})

test('groupFiles: files of the console and of chaos begin first, those that run alone after all that share', () => {
  const pages = ['packages/console/test/a.test.ts', 'packages/console/test/b.test.ts']
  const chaos = 'packages/stores/chaos/run.test.ts'
  const hooks = { [chaos]: 'other.ts', 'short.test.ts': '' } as const
  const files = ['short.test.ts', ...pages, chaos]
  const sharing = new Map(files.map((file) => [file, hooks[file as keyof typeof hooks] ?? 'hook.ts']))
  assert.deepEqual(groupFiles(['alone.test.ts', ...files], sharing), [
    pages,
    [chaos],
    ['short.test.ts'],
    ['alone.test.ts'],
  ])
})
