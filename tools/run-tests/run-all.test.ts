import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runAll } from './run-all.ts'

function folderWith(context: TestContext, texts: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-all-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(folder, name), `import { test } from 'node:test'\n${text}`)
  return folder
}

const good = "test('good', () => {})"
const hang = "test('hangs', () => new Promise(() => setInterval(() => {}, 1000)))"

test('runAll: a file that hangs fails by its name, and the others run to their end', async (context) => {
  const folder = folderWith(context, { 'a.test.mjs': hang, 'b.test.mjs': good, 'c.test.mjs': good, 'd.test.mjs': good })
  const seen: string[] = []
  const outcomes = await runAll([['a.test.mjs'], ['b.test.mjs'], ['c.test.mjs'], ['d.test.mjs']], {
    ...{ cwd: folder, folder, atOnce: 2, fileLimitMs: 15_000, wholeLimitMs: 120_000 },
    onBegin: (file) => seen.push(`begin ${file}`),
    onEnd: ({ file }) => seen.push(`end ${file}`),
  })
  const problems = outcomes.filter(({ problem }) => problem !== undefined).map(({ file }) => file)
  assert.deepEqual(problems, ['a.test.mjs'])
  assert.deepEqual(seen.slice(0, 2), ['begin a.test.mjs', 'begin b.test.mjs'])
  assert.equal(seen.length, 8)
  assert.deepEqual([...outcomes.map(({ file }) => file)].sort(), [
    'a.test.mjs',
    'b.test.mjs',
    'c.test.mjs',
    'd.test.mjs',
  ])
})

test('runAll: when the time for all is over, what runs is ended and what waits has failed', async (context) => {
  const folder = folderWith(context, { 'a.test.mjs': hang, 'b.test.mjs': good })
  const begun: string[] = []
  const outcomes = await runAll([['a.test.mjs'], ['b.test.mjs']], {
    ...{ cwd: folder, folder, atOnce: 1, fileLimitMs: 120_000, wholeLimitMs: 3000 },
    onBegin: (file) => begun.push(file),
    onEnd: () => {},
  })
  assert.deepEqual(begun, ['a.test.mjs'])
  assert.match(outcomes[0]?.problem ?? '', /^the time for all files, 3 s, was over, /)
  assert.equal(outcomes[1]?.problem, 'the time for all files, 3 s, was over before it began')
})
