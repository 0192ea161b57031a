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
  for (const half of ['quick', 'gate'] as const)
    assert.match(steps.filter((step) => step.half === half).at(-1)?.name ?? '', /tests$/)
})

test('chosenSteps: those of a half, one by name, or an error that lists the names', () => {
  const [quick, gate] = [chosenSteps('quick', undefined), chosenSteps('gate', undefined)]
  assert.deepEqual([...quick, ...gate], steps)
  for (const name of ['types', 'conformance'])
    assert.deepEqual(
      chosenSteps('quick', name).map((step) => step.name),
      [name],
    )
  assert.deepEqual(
    chosenSteps('gate', 'package').map((step) => step.name),
    ['build', 'package'],
  )
  assert.throws(() => chosenSteps('quick', 'speed'), /Cannot run "speed": no such step\n.*format, .*, gate tests/s)
})
