import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOnly, tokenize } from './tokens.ts'

test('tokenize: strings, templates, comments and regular expressions hide what they contain', () => {
  const text = [
    "const a = 'import x' // import y",
    `const b = \`import \${\`nested \${"}"} \`} z\``,
    'const c = /[/]import\\/(`)/g.test(a) / 2 / 3',
    '/* import w */ done',
  ].join('\n')
  const words = tokenize(text).filter(({ kind }) => kind === 'word')
  assert.deepEqual(
    words.map((token) => token.text),
    ['const', 'a', 'const', 'b', 'const', 'c', 'test', 'a', 'done'],
  )
})

test('codeOnly: every position and line stays where it was', () => {
  assert.equal(codeOnly("a /* x\ny */ = 'b' + c\n"), 'a     \n     =     + c')
})
