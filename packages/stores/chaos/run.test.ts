import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { serverPrograms } from '../postgres/test/engine.ts'
import { serverProgram } from '../redis/test/engine.ts'
import { runChaos } from './run.ts'

const engines = [
  { name: 'postgres', skip: lacking('postgres', serverPrograms() !== undefined) },
  { name: 'redis', skip: lacking('redis', serverProgram() !== undefined) },
] as const

// most of a run is waiting, so that both are made at once. How soon a call is answered depends on the machine, so that here it
// counts as unanswered when nothing came for a minute; "npm run chaos" holds it to the promise
suite('runChaos', { concurrency: true }, () => {
  for (const { name, skip } of engines)
    test(`runChaos: the checker finds nothing wrong with a minute on ${name}`, { skip }, async () => {
      const run = { engine: name, seconds: 60, seed: 4, pauseMs: 500, answerMs: 60_000 } as const
      const { problems, answers, faults, cancels, tasks } = await runChaos(run)
      assert.deepEqual(problems, [])
      assert.ok((answers.result ?? 0) > 0, JSON.stringify(answers))
      assert.ok(cancels > 0)
      assert.equal(tasks > 0, name === 'postgres')
      assert.ok(Object.keys(faults).length > 0)
    })
})
