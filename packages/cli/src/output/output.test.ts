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

/** A screen that can do everything, for an environment that may say otherwise. */
function onScreen(env: { readonly [name: string]: string }, columns = 80) {
  let shown = ''
  const write = (text: string | Uint8Array) => {
    shown += text
  }
  const screen = { isTTY: true, columns, write, hasColors: () => true }
  return { output: new Output({ stdout: screen, stderr: screen, json: false, quiet: false, env }), shown: () => shown }
}

const escapeCharacter = '\u001b'

test('Output: NO_COLOR takes the colours and leaves the words; an empty one is none', () => {
  for (const [value, isColoured] of [
    ['1', false],
    ['', true],
  ] as const) {
    const { output, shown } = onScreen({ NO_COLOR: value })
    output.warn('the disk is full')
    output.failure({ message: 'Cannot write', code: 'X', exit: 1 })
    assert.equal(shown().includes(escapeCharacter), isColoured)
    if (!isColoured) assert.equal(shown(), 'warning: the disk is full\ntrunkline: Cannot write\n')
  }
})

test('Output: with TERM=dumb nothing is drawn again, and every state is a line of words', () => {
  const { output, shown } = onScreen({ TERM: 'dumb' })
  output.progress('half done')
  assert.equal(
    output.live(() => ['3 calls']),
    undefined,
  )
  output.warn('slow')
  output.note('done')
  output.endsWhenStopped('stopped')
  output.failure({ message: 'interrupted', code: 'X', exit: 130 })
  assert.equal(shown(), 'warning: slow\ndone\nstopped\n')
})

test('Output: a line about progress fits a window of 80 columns, or of its width', () => {
  for (const columns of [80, 40, 0]) {
    const { output, shown } = onScreen({}, columns)
    output.progress('a word '.repeat(100))
    const line = shown().slice(shown().lastIndexOf('K') + 1)
    assert.equal(line.length, (columns || 80) - 1)
    assert.equal(output.width, columns || 80)
  }
})
