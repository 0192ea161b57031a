import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkComments, checkConstants, checkLimits, type Declared } from './check-limits.ts'

const stdio: Declared = { path: 'a.ts', type: 'StdioLimits', bases: [], limits: { maxMessageBytes: 1_000, maxKeys: 5 } }
const heading = '## Over stdio (`StdioLimits`)\n'
const complete = `${heading}| \`maxMessageBytes\` | 1 000 (1 kB) | x |\n| \`maxKeys\` | 5 | x |\n`
const messagesOf = (declared: readonly Declared[], text: string) =>
  checkLimits(declared, { path: 'docs/limits.md', text }).map(({ message }) => message)

test('checkLimits: every limit once, with its default', () => {
  assert.deepEqual(messagesOf([stdio], complete), [])
})

test('checkLimits: a limit that is missing, wrong, or of no option', () => {
  assert.deepEqual(messagesOf([stdio], ''), ['Missing a section for StdioLimits'])
  assert.deepEqual(messagesOf([stdio], `${heading}| \`maxKeys\` | 5 | x |\n`), [
    'Missing "maxMessageBytes" in the section of StdioLimits',
  ])
  assert.deepEqual(messagesOf([stdio], complete.replace('| 5', '| 6')), ['The default of "maxKeys" is 5, not 6'])
  assert.deepEqual(messagesOf([stdio], `${complete}| \`maxOld\` | 1 | x |\n`), ['StdioLimits has no "maxOld"'])
  assert.deepEqual(messagesOf([], `${heading}| \`maxKeys\` | 5 | x |\n`), [
    'No interface of limits is called StdioLimits',
  ])
})

test('checkLimits: a section need not repeat that of what it extends', () => {
  const spawn: Declared = {
    ...stdio,
    type: 'SpawnLimits',
    bases: ['StdioLimits'],
    limits: { ...stdio.limits, maxX: 1 },
  }
  assert.deepEqual(messagesOf([stdio, spawn], `${complete}## It (\`SpawnLimits\`)\n| \`maxX\` | 1 | x |\n`), [])
})

test('checkLimits: a limit begins with max', () => {
  const odd: Declared = { path: 'a.ts', type: 'OddLimits', bases: [], limits: { inFlight: 3 } }
  assert.deepEqual(messagesOf([odd], '## It (`OddLimits`)\n| `inFlight` | 3 | x |\n'), [
    '"inFlight" of OddLimits must begin with "max"',
  ])
})

test('checkConstants: a row about the host says the value that the constant has', () => {
  const sources = [
    {
      path: 'packages/host/src/a.ts',
      text: 'const maxBytes = 8 * 1_024 ** 2\nconst defaults = { maxTries: 5, holdsMs: 1 }\n',
    },
  ]
  const row = (value: string, name: string) => `| some words | ${value} | it ends | \`a.ts\` \`${name}\` |\n`
  const messages = (text: string) =>
    checkConstants({ path: 'docs/limits.md', text }, sources).map(({ message }) => message)
  assert.deepEqual(messages(row('8 388 608 (8 MiB)', 'maxBytes') + row('5', 'maxTries')), [])
  assert.deepEqual(messages(row('6', 'maxTries')), ['"maxTries" of "a.ts" is 5, not 6'])
  assert.deepEqual(messages(row('6', 'maxGone')), ['"maxGone" of "a.ts" is not there, not 6'])
})

test('checkComments: a doc comment says the default that holds', () => {
  const text = (value: string) =>
    `export interface StdioLimits {\n  /** Bytes. @default ${value} */\n  readonly maxMessageBytes?: number\n}\n`
  assert.deepEqual(checkComments([stdio], [{ path: 'a.ts', text: text('1_000') }]), [])
  assert.deepEqual(checkComments([stdio], [{ path: 'a.ts', text: text('2_000') }]), [
    { path: 'a.ts', message: '"maxMessageBytes" of StdioLimits must say @default 1000' },
  ])
})
