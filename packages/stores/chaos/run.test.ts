import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { serverPrograms } from '../postgres/test/engine.ts'
import { serverProgram } from '../redis/test/engine.ts'
import { runChaos } from './run.ts'

const engines = [
  { name: 'postgres', skip: lacking('postgres', serverPrograms() !== undefined) },
  { name: 'redis', skip: lacking('redis', serverProgram() !== undefined) },
] as const

for (const { name, skip } of engines)
  test(`runChaos: the checker finds nothing wrong with a short run on ${name}`, { skip }, async () => {
    const { problems, answers, faults } = await runChaos({ engine: name, seconds: 8, seed: 4 })
    assert.deepEqual(problems, [])
    assert.ok((answers.result ?? 0) > 0, JSON.stringify(answers))
    assert.ok(Object.keys(faults).length > 0)
  })
