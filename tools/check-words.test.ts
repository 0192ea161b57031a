import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWords } from './check-words.ts'
import { described } from './lib/sample.ts'

const path = 'tools/x.ts'
const problemsIn = (text: string) => described(checkWords([{ path, text }]))

test('checkWords: a doc comment that begins with a question word is a problem', () => {
  for (const word of ['What', 'Whether', 'Who', 'Whose', 'How', 'Where', 'Which', 'When', 'Why', 'As']) {
    const message = `Begins with "${word}": begin a doc comment with a noun or a verb`
    assert.deepEqual(problemsIn(`const a = 1\n/** ${word} it is. */`), [`${path}:2: ${message}`])
    assert.deepEqual(problemsIn(`/**\n * ${word} it is.\n */`), [`${path}:1: ${message}`])
  }
})

test('checkWords: a vague person is a problem in every comment and test title', () => {
  const said = (word: string) => [`${path}:1: Says "${word}": name the person, the program or the state that is meant`]
  assert.deepEqual(problemsIn('/** Ends when Nobody’s call is left. */'), said('Nobody'))
  assert.deepEqual(problemsIn('const a = 1 // for somebody else'), said('somebody'))
  assert.deepEqual(problemsIn("it('answers whoever asks', () => {})"), said('whoever'))
  assert.deepEqual(problemsIn('test(`tells everybody`, () => {})'), said('everybody'))
  assert.deepEqual(problemsIn("verifies('changes: reach anybody', async () => {})"), said('anybody'))
})

test('checkWords: nouns and verbs, words within a sentence, messages and programs in texts are none', () => {
  const text = [
    '/** Asks the caller what it is. */',
    '// when it ends',
    "const nobody = 'Nobody can be asked'",
    "assert.match(said, 'nobody')",
    'const program = `/** What it is, for somebody. */`',
    '/** Accepted by a `person`, or by `nobody`. */',
    "const text = z.string().describe('The page that somebody visits')",
  ]
  assert.deepEqual(problemsIn(text.join('\n')), [])
})
