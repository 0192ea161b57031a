import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { canary } from '../packages/mcp/test/fixtures/canary.ts'
import { root } from './lib/files.ts'
import { chosenSteps, keepsSecrets, steps } from './ok.ts'

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
  assert.throws(() => chosenSteps('speed'), /Cannot run "speed": no such step\n.*format, layers/s)
})

test('keepsSecrets: not when a secret of the tests or a token is among what was printed', (t) => {
  const { mock } = t.mock.method(console, 'error', () => {})
  const token = ['{"alg":"ES256"}', '{"sub":"ann"}'].map((part) => Buffer.from(part).toString('base64url')).join('.')
  assert.ok(keepsSecrets('ok 1 - tokens\neyJ0 is how they start\n'))
  assert.equal(mock.callCount(), 0)
  assert.ok(!keepsSecrets(`not ok\nBearer ${canary}-access\n`))
  assert.ok(!keepsSecrets(`Bearer ${token}.c2lnbmF0dXJl`))
  assert.equal(mock.callCount(), 2)
})
