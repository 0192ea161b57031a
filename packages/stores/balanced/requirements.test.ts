import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { run } from '../../../tools/lib/run.ts'
import { serverPrograms } from '../postgres/test/engine.ts'
import { serverProgram } from '../redis/test/engine.ts'

const engines = [
  { name: 'postgres', skip: lacking('postgres', serverPrograms() !== undefined) },
  { name: 'redis', skip: lacking('redis', serverProgram() !== undefined) },
] as const

// changes and subscriptions, which pass through all processes, in all revisions; "npm run cluster" has all requirements
const files = ['--only', 'changes']

for (const { name, skip } of engines)
  test(`requirements: hold through three processes on ${name}, each request at another one`, { skip }, async () => {
    const { passed, output } = await run(process.execPath, [
      'packages/stores/balanced/main.ts',
      '--engine',
      name,
      ...files,
    ])
    assert.ok(passed, output)
    assert.match(output, /^\d\d+ requirements passed, 0 failed, 0 skipped$/m)
  })
