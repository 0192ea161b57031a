import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequired } from './needs.ts'
import { run } from './run.ts'

test('readRequired: any of the needs, and no other', () => {
  assert.deepEqual(readRequired(undefined), new Set())
  assert.deepEqual(readRequired('browser,linux'), new Set(['browser', 'linux']))
  assert.throws(() => readRequired('browser,luck'), /Cannot require "luck" by TRUNKLINE_REQUIRED: name any of .*posix/)
})

test('lacking: a reason where something is not there, unless it has to be', async () => {
  const program = `import { lacking } from './tools/lib/needs.ts'
    console.log(JSON.stringify([lacking('browser', true), lacking('browser', false), lacking('linux', false)]))`
  const reasons = async (required: string) => {
    const env = { ...process.env, TRUNKLINE_REQUIRED: required }
    const { output } = await run(process.execPath, ['--input-type=module', '--eval', program], { env })
    return JSON.parse(output)
  }
  const linux = 'this takes Linux and its /proc'
  assert.deepEqual(await reasons(''), [
    false,
    'there is neither /usr/bin/chromium-headless-shell nor /usr/bin/chromium',
    linux,
  ])
  assert.deepEqual(await reasons('browser'), [false, false, linux])
})
