import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWaits } from './check-waits.ts'

const problemsIn = (text: string, path = 'packages/host/test/x.test.ts') => checkWaits([{ path, text }])

test('checkWaits: a loop that only waits is a problem in a test', () => {
  const waits = [
    'while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))',
    'while (open.length === 0) await new Promise(setImmediate)',
    '  while ((await list()).length === 0) await wait(20)',
  ]
  for (const wait of waits)
    assert.deepEqual(
      problemsIn(`// x\n${wait}`).map(({ line }) => line),
      [2],
      wait,
    )
  assert.deepEqual(problemsIn(waits[0] ?? '', 'packages/host/src/x.ts'), [])
})

test('checkWaits: a limit, work in the loop and a program in a text are none', () => {
  const text =
    'await until(() => isSo())\nwhile (more()) await take()\nconst program = `\nwhile (true) await wait(1)\n`'
  assert.deepEqual(problemsIn(text), [])
})
