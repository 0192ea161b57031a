import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine, splitWords } from './command-line.ts'
import { hoverParts } from './hover-parts.ts'
import { configuredLanguages, languageId, languageOf } from './languages.ts'
import { signatureAt } from './locations.ts'
import { columnOf } from './place.ts'
import { applyEdits } from './text-edits.ts'

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
})

test('applyEdits: places are those of the text before, in UTF-16, whatever ends the lines', () => {
  const text = '𝒳 = one\r\none()\rone\n'
  assert.equal(
    applyEdits(text, [edit(2, 0, 3, 'two'), edit(0, 5, 8, 'two'), edit(1, 0, 3, 'two')]),
    '𝒳 = two\r\ntwo()\rtwo\n',
  )
  assert.equal(applyEdits('a', [edit(0, 9, 9, 'b'), edit(7, 0, 0, 'c')]), 'abc')
  assert.throws(() => applyEdits('abc', [edit(0, 0, 2, 'x'), edit(0, 1, 3, 'y')]), /overlap/)
})

test('columnOf: a whole name on the line; else the nearest lines that have it', () => {
  const text = 'const addAll = 1\nadd(addAll)\n$add\nxadd add\n'
  const at = (line: number, name = 'add') => columnOf(text, { line, name, path: 'a.ts' })
  assert.deepEqual([at(2), at(4), at(2, 'addAll')], [0, 5, 4])
  assert.throws(() => at(3), {
    message: 'There is no "add" on line 3 of "a.ts"',
    details: { nearest: ['line 2', 'line 4'], next: 'Name that line' },
  })
  assert.throws(() => at(9, 'zero'), /There is no "zero" on line 9/)
})

test('hoverParts: the first code is the signature, the rest is documentation of at most 1 000 characters', () => {
  const markdown = '```ts\nfunction add(a: number): number\n```\n\n---\nAdds.\n\n\n\nTwice.'
  assert.deepEqual(hoverParts({ contents: { kind: 'markdown', value: markdown } }), {
    signature: 'function add(a: number): number',
    documentation: 'Adds.\n\nTwice.',
  })
  assert.deepEqual(hoverParts({ contents: [{ language: 'sh', value: 'echo' }, 'Prints'] }), {
    signature: 'echo',
    documentation: 'Prints',
  })
  assert.equal(hoverParts({ contents: 'x'.repeat(5_000) }).documentation.length, 1_001)
  assert.deepEqual(hoverParts(null), { signature: '', documentation: '' })
})

test('signatureAt: the lines of a declaration up to its body', () => {
  const lines = ['function add(', '  a: number,', '): number {', '  return a', '}']
  assert.equal(signatureAt(lines, 0), 'function add( a: number, ): number {')
  assert.equal(signatureAt(['total = 0', 'other'], 0), 'total = 0')
})

test('configuredLanguages: a configured command replaces that of a known language, which keeps its files', () => {
  const languages = configuredLanguages([
    { name: 'python', command: ['ty'] } as never,
    { name: 'zig', files: ['.zig'], command: ['zls'] },
  ])
  assert.deepEqual(languageOf(languages, '/a/b.py')?.command, ['ty'])
  assert.deepEqual(languageOf(languages, '/a/b.ZIG')?.command, ['zls'])
  const typescript = languageOf(languages, 'a.tsx')
  assert.equal(typescript && languageId(typescript, 'a.tsx'), 'typescriptreact')
  assert.equal(languageOf(languages, 'a.txt'), undefined)
})

test('readCommandLine: directories, languages, accepted commands and grammars; the rest is for the library', () => {
  const words = ['a', '--language', 'python=ty "my server"', '--language', 'zig:.zig,.zon=zls', '--accept', 'zls', 'b']
  assert.deepEqual(readCommandLine([...words, '--grammar', '.zig=z.wasm', '--http', '8080'], '/here'), {
    options: {
      directories: ['a', 'b'],
      languages: [
        { name: 'python', command: ['ty', 'my server'] },
        { name: 'zig', command: ['zls'], files: ['.zig', '.zon'] },
      ],
      accept: ['zls'],
      grammars: { '.zig': 'z.wasm' },
    },
    rest: ['--http', '8080'],
  })
  assert.deepEqual(readCommandLine([], '/here').options.directories, ['/here'])
  assert.throws(() => readCommandLine(['--accept'], '/'), /"--accept" takes a value/)
  assert.throws(() => readCommandLine(['--language', 'python'], '/'), /--language takes 'NAME=COMMAND'/)
  assert.throws(() => readCommandLine(['--grammar', '.zig'], '/'), /--grammar takes/)
  assert.deepEqual(splitWords('a  "b c" d'), ['a', 'b c', 'd'])
})
