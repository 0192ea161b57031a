import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { findProgram, programCandidates, programPath } from './find-program.ts'

const end = process.platform === 'win32' ? '.exe' : ''
const noModes = { skip: lacking('posix', process.platform !== 'win32') }

function programs() {
  const folder = mkdtempSync(join(tmpdir(), 'find-program-'))
  for (const name of ['one', 'two']) mkdirSync(join(folder, name))
  const at = (path: string) => join(folder, path)
  mkdirSync(at('one/folder'))
  writeFileSync(at(`one/text${end}`), '')
  writeFileSync(at(`two/plain${end}`), '')
  chmodSync(at(`two/plain${end}`), 0o755)
  const search = { path: `${delimiter}${at('one')}${delimiter}${at('two')}`, cwd: folder }
  return { at, search, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('findProgram: a name is a file in the search path', () => {
  using here = programs()
  assert.deepEqual(findProgram('plain', here.search), { path: here.at(`two/plain${end}`) })
  // a folder can be entered, which is not the same as started
  assert.deepEqual(findProgram('folder', here.search), { problem: 'missing', at: 'folder' })
  assert.deepEqual(findProgram('plain', { ...here.search, path: undefined }), { problem: 'missing', at: 'plain' })
})

test('findProgram: a file that cannot be started is passed over, and named if there is no other', noModes, () => {
  using here = programs()
  writeFileSync(here.at('one/plain'), '')
  assert.deepEqual(findProgram('plain', here.search), { path: here.at('two/plain') })
  assert.deepEqual(findProgram('text', here.search), { problem: 'not executable', at: here.at('one/text') })
  assert.equal(programPath('text', here.search), undefined)
})

test('findProgram: a path begins in the working folder, which must exist', () => {
  using here = programs()
  assert.deepEqual(findProgram('./two/plain', here.search), { path: here.at(`two/plain${end}`) })
  assert.deepEqual(findProgram('./two/none', here.search), { problem: 'missing', at: './two/none' })
  assert.deepEqual(findProgram('plain', { ...here.search, cwd: here.at('gone') }), {
    problem: 'no folder',
    at: here.at('gone'),
  })
})

test('programPath: the path alone, or nothing', () => {
  using here = programs()
  assert.equal(programPath('plain', here.search), here.at(`two/plain${end}`))
  assert.equal(programPath('none', here.search), undefined)
})

const onWindows = { platform: 'win32', cwd: 'C:\\work', path: 'C:\\bin;"C:\\Program Files\\x";;' } as const

test('programCandidates: on Windows a name has the endings of PATHEXT that can be started, in its order', () => {
  const pathExt = '.JS;.CMD;.EXE;.VBS'
  assert.deepEqual(programCandidates('npx', { ...onWindows, pathExt }), [
    'C:\\bin\\npx.cmd',
    'C:\\bin\\npx.exe',
    'C:\\Program Files\\x\\npx.cmd',
    'C:\\Program Files\\x\\npx.exe',
  ])
  assert.deepEqual(programCandidates('npx', { ...onWindows, path: 'C:\\bin', pathExt: undefined }).length, 4)
  assert.deepEqual(programCandidates('npx.CMD', { ...onWindows, path: 'C:\\bin', pathExt }), ['C:\\bin\\npx.CMD'])
  assert.deepEqual(programCandidates('python3.12', { ...onWindows, path: 'C:\\bin', pathExt: '.EXE' }), [
    'C:\\bin\\python3.12.exe',
  ])
})

test('programCandidates: on Windows a path has either slash, a drive or a share, and a name is not looked for here', () => {
  const search = { ...onWindows, pathExt: '.EXE' }
  for (const [command, path] of [
    ['.\\run', 'C:\\work\\run.exe'],
    ['tools/run.exe', 'C:\\work\\tools\\run.exe'],
    ['D:\\a b\\run', 'D:\\a b\\run.exe'],
    ['\\\\server\\share\\run.bat', '\\\\server\\share\\run.bat'],
    ['C:run', 'C:\\work\\run.exe'],
  ] as const)
    assert.deepEqual(programCandidates(command, search), [path])
  assert.ok(!programCandidates('run', search).some((path) => path.startsWith('C:\\work')))
})
