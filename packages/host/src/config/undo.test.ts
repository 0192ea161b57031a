import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleHome } from '../../test/config/sample-home.ts'
import { guessFormat, readDocument, writableFormats, writeServer } from '../clients/formats.ts'
import { undoChange } from './undo.ts'

const entry = { command: 'trunkline', args: ['stdio'] }
const refuse = () => assert.fail('the place of the change should have been found')

function install(file: string, before: string | undefined) {
  const id = guessFormat(file, before ?? '')?.id ?? 'mcp-json'
  const format = writableFormats.find((one) => one.id === id)
  assert.ok(format)
  const document = (text: string) => readDocument(format, file, text)
  const after = writeServer(format, document(before ?? ''), 'trunkline-host', entry)
  const remove = (text: string) => writeServer(format, document(text), 'trunkline-host', undefined)
  return { change: { file, before, after }, remove }
}

test('undoChange: an untouched file is what it was, byte for byte, for every client', () => {
  for (const [path, text] of Object.entries(sampleHome)) {
    if (guessFormat(path, text) === undefined) continue
    for (const before of [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
      const { change } = install(path, before)
      assert.notEqual(change.after, before)
      assert.equal(undoChange(change, change.after, refuse), before, path)
    }
  }
})

test('undoChange: also where nothing or nearly nothing was', () => {
  for (const before of [
    undefined,
    '',
    '{}',
    '{ }',
    '{\n}',
    '{"mcpServers":{}}',
    '{\n\t"mcpServers": {\n\t}\n}\n',
    '// c\n',
  ]) {
    const { change } = install('.mcp.json', before)
    assert.equal(undoChange(change, change.after, refuse), before)
  }
})

test('undoChange: changes elsewhere since then stay', () => {
  const { change } = install('.claude.json', sampleHome['.claude.json'])
  const touched = change.after.replace('"numStartups": 34', '"numStartups": 35').replace('"hello"', '"bye"')
  assert.equal(
    undoChange(change, touched, refuse),
    sampleHome['.claude.json'].replace('"numStartups": 34', '"numStartups": 35').replace('"hello"', '"bye"'),
  )
})

test('undoChange: where the entry itself was changed, it is taken out by its name', () => {
  const { change, remove } = install('.cursor/mcp.json', sampleHome['.cursor/mcp.json'])
  const touched = change.after.replace('"stdio"', '"stdio", "--quiet"')
  assert.equal(undoChange(change, touched, remove), sampleHome['.cursor/mcp.json'])
})

test('undoChange, any texts: the exact text of an untouched file comes back', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      assert.equal(undoChange({ file: 'x', before, after }, after, refuse), before)
    }),
  )
})
