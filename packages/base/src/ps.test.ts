import assert from 'node:assert/strict'
import { test } from 'node:test'
import { macSystem } from '../../../tools/lib/macos.ts'
import { lacking } from '../../../tools/lib/needs.ts'
import { psEnvironments, psProcess, psProcesses } from './ps.ts'

/** The stand-ins are scripts of `sh`. */
const noShell = { skip: lacking('posix', process.platform !== 'win32') }

const shell = { pid: 501, parent: 500, terminal: 'ttys001', program: '-zsh', start: 'Sun Nov  1 09:08:07 2026' }
const editor = {
  pid: 700,
  parent: 1,
  leadsSession: true,
  kibibytes: 300_000,
  program: '/Applications/Visual Studio Code.app/Contents/MacOS/Electron',
  args: `--type=utility ${'--long-option=with-a-value '.repeat(20)}--last`,
}

test('psProcess: a process with its terminal, its start in seconds and its memory', noShell, async () => {
  using system = macSystem([shell, editor])
  assert.deepEqual(await psProcess(501, system), {
    ...{ pid: 501, parent: 500, group: 501, leadsSession: false, terminal: 'ttys001', words: ['-zsh'] },
    startedAt: String(Date.UTC(2026, 10, 1, 9, 8, 7) / 1_000),
    bytes: 2_048 * 1_024,
  })
  assert.equal(await psProcess(999, system), undefined)
})

test('psProcess: a program whose path has spaces is one word, and a long line is whole', noShell, async () => {
  using system = macSystem([editor])
  const seen = await psProcess(700, system)
  assert.equal(seen?.words[0], editor.program)
  assert.equal(seen?.words.at(-1), '--last')
  assert.equal(seen?.terminal, '')
  assert.equal(seen?.leadsSession, true)
})

test('psProcesses: all of them; none on Windows, and none where there is no such program', noShell, async () => {
  using system = macSystem([shell, editor])
  assert.deepEqual((await psProcesses('all', system)).map(({ pid }) => pid).sort(), [501, 700])
  assert.deepEqual(await psProcesses('all', { ...system, platform: 'win32' }), [])
  assert.deepEqual(await psProcesses('all', { platform: 'darwin', folders: '/nowhere' }), [])
})

test('psEnvironments: those that are shown, without arguments that look alike', noShell, async () => {
  using system = macSystem([
    { pid: 10, parent: 1, program: '/bin/sh', args: '-c A=1' },
    { pid: 11, parent: 1, program: '/opt/homebrew/bin/node', args: 'a.js A=1', environment: 'B=2 HOME=/Users/ann' },
  ])
  assert.deepEqual([...(await psEnvironments('all', system))], [[11, 'B=2 HOME=/Users/ann']])
  assert.deepEqual([...(await psEnvironments(10, system))], [])
})
