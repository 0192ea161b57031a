import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutations } from '../../../../tools/mutate/mutations.ts'

const library = join(import.meta.dirname, '../..')
// what the host adds is held against the tests of the host
const [page = ''] = readFileSync(join(library, '../../docs/threats.md'), 'utf8').split('\n## The host\n')

/** Every row by its number, with the files that show it. */
const rows = new Map(
  Array.from(page.matchAll(/^\| (\d+) +\|.*\|(.*)\|$/gm), ([, number, files = '']) => [
    Number(number),
    Array.from(files.matchAll(/`([^`]+)`/g), ([, file = '']) => file),
  ]),
)

/** The threats to what is built so far: the edge of HTTP, hostile servers, stdio, availability. */
const numbers = [...Array.from({ length: 23 }, (_, at) => at + 1), 33, 34, 42, 44, 46, 47, 48, 49, 50, 51, 52]

test('docs/threats.md: has a row for every threat, and each is shown by tests that exist', () => {
  assert.deepEqual([...rows.keys()], numbers)
  for (const [number, files] of rows) {
    assert.ok(files.length > 0, `nothing shows ${number}`)
    for (const file of files) {
      assert.ok(file.endsWith('.test.ts') && existsSync(join(library, file)), `${file} of ${number} is not there`)
    }
  }
})

test('docs/threats.md: of every row there is a defence that can be taken away, and a test it names must notice that', () => {
  for (const [number, files] of rows) {
    const proofs = mutations.filter(({ package: name = 'mcp', threat, noticedBy }) => {
      return name === 'mcp' && threat === number && noticedBy.some((file) => files.includes(file))
    })
    assert.ok(proofs.length > 0, `nothing proves that the tests of ${number} show anything`)
  }
})

test('docs/threats.md: every test that it names has tests in it, and something to check', () => {
  for (const file of new Set([...rows.values()].flat())) {
    const text = readFileSync(join(library, file), 'utf8')
    assert.match(text, /^ *(?:test|verifies)\(/m, file)
    assert.match(text, /\bassert\b/, file)
  }
})

test('docs/threats.md: names every test of a threat', () => {
  const named = new Set([...rows.values()].flat())
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'))
  const unnamed = tests.map((file) => `test/threats/${file}`).filter((file) => !named.has(file))
  assert.deepEqual(unnamed, ['test/threats/documented.test.ts'])
})
