import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSnippets, updateSnippets } from './check-snippets.ts'
import type { File } from './lib/files.ts'
import { described, sample } from './lib/sample.ts'

const example = {
  'examples/echo/main.ts': "import './server.ts'\n",
  'examples/echo/server.ts': 'const a = 1\nif (a) {\n  // region body\n  one()\n\n    two()\n  // endregion\n}\n',
  'tools/ok.ts': 'run()\n',
}
const body = 'one()\n\n  two()\n'
const whole = 'const a = 1\nif (a) {\n  one()\n\n    two()\n}\n'

function guide(comment: string, code: string): File[] {
  return sample({ ...example, 'README.md': `# Title\n\n${comment}\n\`\`\`ts\n${code}\`\`\`\n\nText\n` })
}

test('checkSnippets: a region, dedented, and a whole file pass', () => {
  assert.deepEqual(checkSnippets(guide('<!-- from examples/echo/server.ts#body -->', body)), [])
  assert.deepEqual(checkSnippets(guide('<!-- from examples/echo/server.ts -->', whole)), [])
})

const bad = [
  ['', body, 4, 'This block does not say where it is from: write <!-- from examples/… --> above it'],
  [
    '<!-- from examples/echo/server.ts#none -->',
    body,
    3,
    'Cannot show "examples/echo/server.ts": it has no region "none"',
  ],
  ['<!-- from examples/echo/gone.ts -->', body, 3, 'Cannot show "examples/echo/gone.ts": no test runs it'],
  ['<!-- from tools/ok.ts -->', 'run()\n', 3, 'Cannot show "tools/ok.ts": no test runs it'],
  [
    '<!-- from examples/echo/server.ts#body -->',
    'one()\n',
    3,
    'This block differs from "examples/echo/server.ts": run node tools/check-snippets.ts --update',
  ],
] as const

for (const [comment, code, line, message] of bad) {
  test(`checkSnippets: ${message}`, () => {
    assert.deepEqual(described(checkSnippets(guide(comment, code))), [`README.md:${line}: ${message}`])
  })
}

test('updateSnippets: blocks are cut anew, also empty ones, and the rest stays', () => {
  const comment = '<!-- from examples/echo/server.ts#body -->'
  const expected = guide(comment, body).at(-1)?.text
  for (const stale of ['one()\n', '']) {
    const files = guide(comment, stale)
    assert.equal(updateSnippets(files.at(-1) as File, files), expected)
  }
})

test('checkSnippets: blocks of other languages need no origin', () => {
  assert.deepEqual(checkSnippets(sample({ 'README.md': '```json\n{}\n```\n\n```sh\nnpm test\n```\n' })), [])
})

test('checkSnippets: regions of one name belong together', () => {
  const text = '// region a\none()\n// endregion\ntwo()\n// region a\nthree()\n// endregion\n'
  const files = sample({
    'examples/x/main.ts': text,
    'README.md': '<!-- from examples/x/main.ts#a -->\n```ts\none()\n\nthree()\n```\n',
  })
  assert.deepEqual(checkSnippets(files), [])
})

test('updateSnippets: each region of a name loses its own indentation', () => {
  const source = 'async function f() {\n  // region a\n  await b()\n  // endregion\n}\n// region a\nb\n// endregion\n'
  const example = { path: 'examples/x/main.ts', text: source }
  const guide = { path: 'docs/x.md', text: '<!-- from examples/x/main.ts#a -->\n```ts\n```\n' }
  assert.match(updateSnippets(guide, [example]), /```ts\nawait b\(\)\n\nb\n```/)
})

test('checkSnippets: a comment that no block follows is told', () => {
  const text = '# Title\n\n<!-- from examples/echo/server.ts#body -->\n\nText\n'
  assert.deepEqual(described(checkSnippets(sample({ ...example, 'README.md': text }))), [
    'README.md:3: No block follows: write one, and run node tools/check-snippets.ts --update',
  ])
})
