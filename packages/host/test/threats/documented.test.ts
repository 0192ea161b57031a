import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const host = join(import.meta.dirname, '../..')
const [, page = ''] = readFileSync(join(host, '../../docs/threats.md'), 'utf8').split('\n## The host\n')

/** Every row by its number, with the files that show it. */
const rows = new Map(
  Array.from(page.matchAll(/^\| (\d+) +\|.*\|(.*)\|$/gm), ([, number, files = '']) => [
    Number(number),
    Array.from(files.matchAll(/`([^`]+)`/g), ([, file = '']) => file),
  ]),
)

test('docs/threats.md: has a row of the host for every threat from 33 to 50 and for apps, each shown by tests that exist', () => {
  assert.deepEqual([...rows.keys()], [...Array.from({ length: 18 }, (_, at) => at + 33), 52])
  for (const [number, files] of rows) {
    assert.ok(files.length > 0, `nothing shows ${number}`)
    for (const file of files)
      assert.ok(file.endsWith('.test.ts') && existsSync(join(host, file)), `${file} of ${number} is not there`)
  }
})

test('docs/threats.md: names every test of a threat to the host', () => {
  const named = new Set([...rows.values()].flat())
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'))
  const unnamed = tests.map((file) => `test/threats/${file}`).filter((file) => !named.has(file))
  assert.deepEqual(unnamed, ['test/threats/documented.test.ts'])
})
