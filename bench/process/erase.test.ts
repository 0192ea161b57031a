import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseOrThrow, eraseTypes } from './erase.ts'

test('eraseTypes: removes types and points imports at erased files', () => {
  const source = "import { a } from './a.ts'\nimport type { B } from './b.ts'\nexport const c: B = a\n"
  const erased = eraseTypes(source)
  assert.match(erased, /import \{ a \} from '\.\/a\.js'/)
  assert.doesNotMatch(erased, /b\.ts|: B/)
})

test('eraseTypes: follows dynamic imports and leaves other strings alone', () => {
  const erased = eraseTypes("const late = await import('../late.ts')\nconst name = './kept.ts'\n")
  assert.match(erased, /import\('\.\.\/late\.js'\)/)
  assert.match(erased, /'\.\/kept\.ts'/)
})

test('eraseOrThrow: a module that cannot be read throws when it is loaded', () => {
  assert.match(eraseOrThrow('half.ts', 'const ='), /^throw new SyntaxError\("Cannot read half\.ts: /)
})
