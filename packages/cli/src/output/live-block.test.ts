import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveBlock } from './live-block.ts'

function screen(columns: number, rows: number) {
  const written: string[] = []
  return { columns, rows, written, write: (text: string) => written.push(text) }
}

test('LiveBlock: replaces what it drew, and leaves nothing when cleared', () => {
  const at = screen(80, 24)
  const block = new LiveBlock(at, false)
  block.draw(['a', 'b'])
  block.draw(['c'])
  block.clear()
  assert.deepEqual(at.written, ['a\nb\n', '\r\u001b[2A\u001b[Jc\n', '\r\u001b[1A\u001b[J'])
})

test('LiveBlock: never taller or wider than the screen', () => {
  const at = screen(10, 4)
  new LiveBlock(at, false).draw(['0123456789abc', 'b', 'c', 'd', 'e'])
  assert.deepEqual(at.written, ['01234567…\nb\n… and 3 …\n'])
})

test('LiveBlock: counts the lines that a narrower terminal has wrapped', () => {
  const at = screen(80, 24)
  const block = new LiveBlock(at, false)
  block.draw(['x'.repeat(60)])
  at.columns = 40
  block.clear()
  assert.equal(at.written.at(-1), '\r\u001b[2A\u001b[J')
})

test('LiveBlock: takes a terminal of size zero for one of the usual size', () => {
  const at = screen(0, 0)
  const block = new LiveBlock(at, false)
  block.draw(['', 'servers'])
  block.clear()
  assert.deepEqual(at.written, ['\nservers\n', '\r\u001b[2A\u001b[J'])
})
