import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { windowsProblem } from './windows-names.ts'

const harmless = fc.stringMatching(/^[A-Za-zäöü0-9_~-]{1,8}q$/)
const hostile = fc.constantFrom(
  ...['a.txt:b', 'a::$DATA', 'NUL', 'nul.txt', 'Con', 'aux ', 'COM1', 'com¹.log', 'lpt9', 'CONIN$', 'prn .x'],
  ...['a.', 'a ', 'a...', 'a<b', 'a|b', 'a?', '*', 'a"b', 'a\tb'],
)
const slash = fc.constantFrom('/', '\\')
const start = fc.constantFrom('', 'C:\\', 'c:/', '\\\\server\\share\\', './', '..\\')

test('windowsProblem: a path of plain names has none, whatever its slashes, its drive or its share are', () => {
  fc.assert(
    fc.property(start, fc.array(harmless, { minLength: 1 }), slash, (first, names, by) => {
      assert.equal(windowsProblem(first + names.join(by)), undefined)
    }),
  )
})

test('windowsProblem: one name that Windows reads otherwise is enough, wherever it stands', () => {
  fc.assert(
    fc.property(start, fc.array(harmless), hostile, fc.array(harmless), slash, (first, before, name, after, by) => {
      assert.notEqual(windowsProblem(first + [...before, name, ...after].join(by)), undefined)
    }),
  )
})

test('windowsProblem: the namespaces of devices are refused', () => {
  for (const path of ['\\\\?\\C:\\x', '\\\\.\\PhysicalDrive0', '//?/C:/x', '\\\\?\\UNC\\server\\share'])
    assert.match(windowsProblem(path) ?? '', /namespace of devices/)
})

test('windowsProblem: a drive without a slash begins in a folder that is not named', () => {
  for (const path of ['C:', 'c:x', 'C:..\\x', 'a:stream'])
    assert.match(windowsProblem(path) ?? '', /each process/, path)
})

test('windowsProblem: names that only look like devices are none', () => {
  for (const path of ['console.log', 'C:\\nullable', 'com10.txt', 'lpt', 'auxiliary/x', 'PROGRA~1\\x'])
    assert.equal(windowsProblem(path), undefined, path)
})
