import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { findProgram, programPath } from './find-program.ts'

function programs() {
  const folder = mkdtempSync(join(tmpdir(), 'find-program-'))
  for (const name of ['one', 'two']) mkdirSync(join(folder, name))
  const at = (path: string) => join(folder, path)
  mkdirSync(at('one/folder'))
  writeFileSync(at('one/plain'), '')
  writeFileSync(at('two/plain'), '')
  writeFileSync(at('one/text'), '')
  chmodSync(at('two/plain'), 0o755)
  const search = { path: `${delimiter}${at('one')}${delimiter}${at('two')}`, cwd: folder }
  return { at, search, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('findProgram: a name is the first file in the search path that can be started', () => {
  using here = programs()
  assert.deepEqual(findProgram('plain', here.search), { path: here.at('two/plain') })
  assert.deepEqual(findProgram('text', here.search), { problem: 'not executable', at: here.at('one/text') })
  // a folder can be entered, which is not the same as started
  assert.deepEqual(findProgram('folder', here.search), { problem: 'missing', at: 'folder' })
  assert.deepEqual(findProgram('plain', { ...here.search, path: undefined }), { problem: 'missing', at: 'plain' })
})

test('findProgram: a path begins in the working folder, which must exist', () => {
  using here = programs()
  assert.deepEqual(findProgram('./two/plain', here.search), { path: here.at('two/plain') })
  assert.deepEqual(findProgram('./two/none', here.search), { problem: 'missing', at: './two/none' })
  assert.deepEqual(findProgram('plain', { ...here.search, cwd: here.at('gone') }), {
    problem: 'no folder',
    at: here.at('gone'),
  })
})

test('programPath: the path alone, or nothing', () => {
  using here = programs()
  assert.equal(programPath('plain', here.search), here.at('two/plain'))
  assert.equal(programPath('text', here.search), undefined)
})
