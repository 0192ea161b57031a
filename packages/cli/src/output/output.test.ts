import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Output } from './output.ts'

function capturing(options: { readonly json?: boolean; readonly quiet?: boolean } = {}) {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    write(text: string | Uint8Array) {
      printed[name] += String(text)
    },
  })
  const { json = false, quiet = false } = options
  return { printed, output: new Output({ stdout: stream('stdout'), stderr: stream('stderr'), json, quiet, env: {} }) }
}

test('Output: keeps at most 100 warnings for the end', () => {
  const { printed, output } = capturing({ json: true })
  for (let at = 0; at < 1_000; at++) output.warn(`warning ${at}`)
  output.failure({ message: 'failed', code: 'X', exit: 1 })
  assert.equal(JSON.parse(printed.stderr).error.warnings.length, 100)
})

test('Output: JSON with hidden characters means the same, and shows itself', () => {
  const { printed, output } = capturing({ json: true })
  const value = { text: 'a\u202eb\u{e0041}c\u009bd', '\u200b': 'key' }
  output.result(value, () => [])
  assert.doesNotMatch(printed.stdout, /\p{Cf}|(?!\n)\p{Cc}/u)
  assert.deepEqual(JSON.parse(printed.stdout), value)
})

test('Output: no line about progress is written over a question', async () => {
  let shown = ''
  const screen = {
    isTTY: true,
    write(text: string | Uint8Array) {
      shown += text
    },
  }
  const output = new Output({ stdout: screen, stderr: screen, json: false, quiet: false, env: {} })
  output.progress('half done')
  await output.asking(async () => {
    shown = ''
    output.progress('nearly done')
    assert.equal(shown, '')
  })
  output.progress('done')
  assert.match(shown, /done/)
})

test('Output: progress is for screens only', () => {
  const { printed, output } = capturing()
  output.progress('half done')
  assert.deepEqual(printed, { stdout: '', stderr: '' })
})
