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

// sessions are of 2025-11-25, and of what is newer only questions in the middle of a call reach another process; "npm run cluster" has all
const judged = ['--revision', '2025-11-25']

for (const { name, skip } of engines)
  test(`conformance: three processes on ${name} pass the official suite, each request at another one`, {
    skip,
  }, async () => {
    const { passed, output } = await run(process.execPath, ['tools/conformance.ts', '--through', name, ...judged])
    assert.ok(passed, output)
    assert.match(output, /\b3\d passed, 0 failed, 0 not run/)
  })
