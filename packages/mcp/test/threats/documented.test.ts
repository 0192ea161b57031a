import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutations } from '../../../../tools/mutate/mutations.ts'

const library = join(import.meta.dirname, '../..')
// what the host adds is held against the tests of the host
const [page = ''] = readFileSync(join(library, '../../docs/threats.md'), 'utf8').split('\n## The host\n')

/** Every threat by its number, with the files that show it. */
const threats = new Map(
  Array.from(
    page.matchAll(/^### (\d+)\. .+\n(?:(?!#).*\n)*?Shown by:\n\n((?:- `.+`\n)+)/gm),
    ([, number, files = '']) => [Number(number), Array.from(files.matchAll(/`([^`]+)`/g), ([, file = '']) => file)],
  ),
)

/** The threats to what is built so far: the edge of HTTP, hostile servers, stdio, availability. */
const numbers = [...Array.from({ length: 23 }, (_, at) => at + 1), 33, 34, 42, 44, 46, 47, 48, 49, 50, 51, 52]

test('docs/threats.md: has every threat, each shown by tests that exist', () => {
  assert.deepEqual([...threats.keys()], numbers)
  for (const [number, files] of threats) {
    assert.ok(files.length > 0, `nothing shows ${number}`)
    for (const file of files) {
      assert.ok(file.endsWith('.test.ts') && existsSync(join(library, file)), `${file} of ${number} is not there`)
    }
  }
})

test('docs/threats.md: for every threat there is a defence that can be taken away, and a test it names must notice that', () => {
  for (const [number, files] of threats) {
    const proofs = mutations.filter(({ package: name = 'mcp', threat, noticedBy }) => {
      return name === 'mcp' && threat === number && noticedBy.some((file) => files.includes(file))
    })
    assert.ok(proofs.length > 0, `nothing proves that the tests of ${number} show anything`)
  }
})

test('docs/threats.md: every test that it names has tests in it, and something to check', () => {
  for (const file of new Set([...threats.values()].flat())) {
    const text = readFileSync(join(library, file), 'utf8')
    assert.match(text, /^ *(?:test|verifies)\(/m, file)
    assert.match(text, /\bassert\b/, file)
  }
})

test('docs/threats.md: names every test of a threat', () => {
  const named = new Set([...threats.values()].flat())
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'))
  const unnamed = tests.map((file) => `test/threats/${file}`).filter((file) => !named.has(file))
  assert.deepEqual(unnamed, ['test/threats/documented.test.ts'])
})
