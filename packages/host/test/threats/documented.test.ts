import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { pathOf } from '../../../../tools/mutate/mutation.ts'
import { mutations } from '../../../../tools/mutate/mutations.ts'

const root = join(import.meta.dirname, '../../../..')
const [, page = ''] = readFileSync(join(root, 'docs/threats.md'), 'utf8').split('\n## The host\n')

/** Every threat by its number, with the files that show it. */
const threats = new Map(
  Array.from(
    page.matchAll(/^### (\d+)\. .+\n(?:(?!#).*\n)*?Shown by:\n\n((?:- `.+`\n)+)/gm),
    ([, number, files = '']) => [
      Number(number),
      Array.from(files.matchAll(/`([^`]+)`/g), ([, file = '']) => fromRoot(file)),
    ],
  ),
)

/** Files of the host are named without its folder. */
function fromRoot(file: string): string {
  return file.startsWith('packages/') ? file : normalize(join('packages/host', file))
}

test('docs/threats.md: has every threat to the host from 33 to 54, each shown by tests that exist', () => {
  assert.deepEqual(
    [...threats.keys()],
    Array.from({ length: 22 }, (_, at) => at + 33),
  )
  for (const [number, files] of threats) {
    assert.ok(files.length > 0, `nothing shows ${number}`)
    for (const file of files)
      assert.ok(file.endsWith('.test.ts') && existsSync(join(root, file)), `${file} of ${number} is not there`)
  }
})

test('docs/threats.md: for every threat to the host there is a defence that can be taken away, and a test it names must notice that', () => {
  for (const [number, files] of threats) {
    const proofs = mutations.filter(
      (mutation) =>
        mutation.threat === number && mutation.noticedBy.some((test) => files.includes(pathOf(mutation, test))),
    )
    assert.ok(proofs.length > 0, `nothing proves that the tests of ${number} show anything`)
  }
})

test('docs/threats.md: every test of the host that it names has tests in it, and something to check', () => {
  for (const file of new Set([...threats.values()].flat())) {
    const text = readFileSync(join(root, file), 'utf8')
    assert.match(text, /^ *(?:test|it)\(/m, file)
    // the behaviours of a matrix stand beside it
    const beside = Array.from(text.matchAll(/from '(\.\/[^']+)'/g), ([, path = '']) => join(root, dirname(file), path))
    assert.match([text, ...beside.map((path) => readFileSync(path, 'utf8'))].join('\n'), /\bassert\b/, file)
  }
})

test('docs/threats.md: names every test of a threat to the host', () => {
  const named = new Set([...threats.values()].flat())
  const tests = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'))
  const unnamed = tests.map((file) => `packages/host/test/threats/${file}`).filter((file) => !named.has(file))
  assert.deepEqual(unnamed, ['packages/host/test/threats/documented.test.ts'])
})
