import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../lib/files.ts'
import { programOf, stepsOf } from './guide-steps.ts'

test('stepsOf: files are named before their text, commands may say what they print', () => {
  const guide = [
    '`src/a.ts` is `b`:\n\n<!-- from x.ts -->\n```ts\na\n```',
    '```sh\nnpx tsc\nnode a.js\n```',
    '```\nsaid\n```',
    'In one terminal:\n\n```sh\nnode b.js\n```',
    'Nothing to write:\n\n```ts\nc\n```',
  ].join('\n\n')
  assert.deepEqual(stepsOf(guide), [
    { kind: 'write', path: 'src/a.ts', text: 'a\n' },
    { kind: 'run', commands: ['npx tsc', 'node a.js'], stays: false, said: 'said\n' },
    { kind: 'run', commands: ['node b.js'], stays: true },
  ])
})

test('stepsOf: the guides that are followed name their files', () => {
  const written = ['getting-started', 'authorization'].map((name) =>
    stepsOf(readFileSync(join(root, `docs/${name}.md`), 'utf8')).flatMap((step) =>
      step.kind === 'write' ? [step.path] : [],
    ),
  )
  assert.deepEqual(written, [
    [
      'tsconfig.json',
      'src/greeter.ts',
      'src/server.ts',
      'src/client.ts',
      'src/greeter.test.ts',
      'claude_desktop_config.json',
      '.vscode/mcp.json',
    ],
    ['src/diary.ts', 'src/diary-server.ts', 'src/diary-client.ts'],
  ])
})

test('programOf: the TypeScript of a guide, and nothing else of it', () => {
  assert.equal(programOf('a\n\n```ts\nb\n```\n\n```sh\nc\n```\n\n```ts\nd\n```\n'), 'b\n\nd\n')
})
