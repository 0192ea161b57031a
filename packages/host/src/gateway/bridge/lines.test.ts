import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eachLine } from './lines.ts'

async function linesOf(chunks: readonly string[], maxLineBytes?: number): Promise<string[]> {
  const lines: string[] = []
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  await eachLine(stream, async (line) => void lines.push(line), maxLineBytes)
  return lines
}

test('eachLine: lines are whole however they are cut, empty ones too', async () => {
  assert.deepEqual(await linesOf(['a', 'b\n\nc', 'd\ne\n', 'left over']), ['ab', '', 'cd', 'e'])
  assert.deepEqual(await linesOf([...'one\ntwo\n']), ['one', 'two'])
})

test('eachLine: a line at the limit passes, one byte more does not, however it is cut', async () => {
  assert.deepEqual(await linesOf(['12345\n'], 5), ['12345'])
  await assert.rejects(linesOf(['123456\n'], 5), /a line of more than 5 bytes/)
  await assert.rejects(linesOf([...'123456'], 5), /a line of more than 5 bytes/)
})
