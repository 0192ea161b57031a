import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './lib/files.ts'
import { chosenSteps, steps } from './ok.ts'

test('steps: every check there is belongs to the gate, and the tests end it', () => {
  const scripts = steps.flatMap(({ args }) => args)
  for (const path of globSync('tools/check-*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    assert.ok(scripts.includes(path), `${path} is in no step`)
  }
  for (const path of scripts.filter((arg) => /^tools\/[\w-]+\.ts$/.test(arg))) assert.ok(existsSync(join(root, path)))
  assert.equal(steps.at(-1)?.name, 'tests')
})

test('chosenSteps: all of them, one by name, or an error that lists the names', () => {
  assert.deepEqual(chosenSteps(undefined), steps)
  assert.deepEqual(
    chosenSteps('types').map(({ name }) => name),
    ['types'],
  )
  assert.throws(() => chosenSteps('speed'), /Cannot run "speed": no such step\n.*format, .*, tests/s)
})
