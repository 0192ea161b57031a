import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runExamples } from './run-examples.ts'

test('runExamples: an example that throws and a folder without main.ts are problems, one that ends well is not', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  context.after(() => rmSync(folder, { recursive: true }))
  assert.match((await runExamples(folder))[0]?.message ?? '', /there are none/)

  for (const story of ['good', 'bad', 'empty']) mkdirSync(join(folder, story))
  writeFileSync(join(folder, 'good/main.ts'), "console.log('fine')\n")
  writeFileSync(join(folder, 'bad/main.ts'), "throw new Error('broken')\n")
  const problems = await runExamples(folder)
  assert.deepEqual(problems.map(({ path }) => path).sort(), [
    join(folder, 'bad/main.ts'),
    join(folder, 'empty/main.ts'),
  ])
  assert.match(problems.map(({ message }) => message).join(), /broken/)
})
