import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeOutput, withoutEscapes } from './decode-output.ts'

test('withoutEscapes: nothing that steers a terminal is left, and all text is', () => {
  const corpus: readonly (readonly [string, string])[] = [
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[38;2;1;2;3mtrue colour\x1b[m', 'true colour'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1bP1$r0m\x1b\\text', 'text'],
    ['\x1b(Btext\x1b=', 'text'],
    ['\x1b[?25l\x1b[2J\x1b[Htext', 'text'],
    ['\u009b31mred\u009b0m', 'red'],
    ['\u009d0;title\u009ctext', 'text'],
    ['bell\x07 back\x08 nul\x00', 'bell back nul'],
    ['10%\r50%\r100%\n', '100%\n'],
    ['dos\r\nlines\r\n', 'dos\nlines\n'],
    ['tab\tand\nlines', 'tab\tand\nlines'],
    ['cut \x1b[', 'cut '],
    ['cut \x1b]0;never ends', 'cut '],
    ['Grüße 👋', 'Grüße 👋'],
  ]
  for (const [written, shown] of corpus) {
    assert.equal(withoutEscapes(written), shown, JSON.stringify(written))
    assert.ok(![...withoutEscapes(written)].some((character) => /\p{Cc}/u.test(character) && !/[\n\t]/.test(character)))
  }
})

test('withoutEscapes: takes time in proportion to the text', () => {
  const hostile = '\x1b]'.repeat(50_000) + '\x1b['.repeat(50_000) + '\r'.repeat(100_000)
  assert.ok(withoutEscapes(hostile).length < hostile.length)
})

test('decodeOutput: text of every kind is read, and bytes that are none stay bytes', () => {
  const text = (bytes: Uint8Array, isPart = false) => {
    const decoded = decodeOutput(bytes, isPart)
    return decoded.kind === 'text' ? decoded.text : decoded.mimeType
  }
  assert.equal(text(Buffer.from('\ufeffgrün')), 'grün')
  assert.equal(text(Buffer.from('\ufeffgrün', 'utf16le')), 'grün')
  assert.equal(text(Buffer.from('\ufeffgrün', 'utf16le').swap16()), 'grün')
  assert.equal(text(Buffer.from('grün', 'latin1')), 'application/octet-stream')
  assert.equal(text(Buffer.from('grün').subarray(0, 3), true), 'gr')
  assert.equal(text(Buffer.from('grün').subarray(0, 3)), 'application/octet-stream')
  assert.equal(text(Buffer.from('a\0b')), 'application/octet-stream')
  assert.equal(text(Buffer.from('%PDF-1.7\n\xff', 'latin1')), 'application/pdf')
})
