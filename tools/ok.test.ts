import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { alreadyBuilt } from './lib/already-built.ts'
import { root } from './lib/files.ts'
import { chosenSteps, environmentOf, steps } from './ok.ts'

test('steps: every check there is belongs to the gate, and no step waits for one that comes later', () => {
  const scripts = steps.flatMap(({ args }) => args)
  for (const path of globSync('tools/check-*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    assert.ok(scripts.includes(path), `${path} is in no step`)
  }
  for (const path of scripts.filter((arg) => /^tools\/[\w-]+\.ts$/.test(arg))) assert.ok(existsSync(join(root, path)))
  for (const [index, { name, half, after }] of steps.entries()) {
    const before = steps.slice(0, index).filter((step) => step.half === half)
    assert.ok(after === undefined || after === 'all' || before.some((step) => step.name === after), name)
  }
  assert.equal(steps.filter(({ half }) => half === 'quick').at(-1)?.name, 'tests')
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
  assert.throws(() => chosenSteps('quick', 'speed'), /Cannot run "speed": no such step\n.*format, .*, examples/s)
})

test('environmentOf: no step after the build builds again, since the tests beside it use what it would delete', () => {
  for (const step of steps) assert.equal(environmentOf(step)[alreadyBuilt] === '1', step.after === 'build', step.name)
  const tested = steps.filter((step) => environmentOf(step).COMMAND_UNDER_TEST !== process.env.COMMAND_UNDER_TEST)
  assert.deepEqual(
    tested.map(({ name }) => name),
    ['gate tests'],
  )
})
