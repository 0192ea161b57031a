import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUses } from '../lib/reach.ts'
import { halvesOf } from './halves.ts'

const files = [
  { path: 'packages/x/test/browser.ts', text: "export const none = lacking('browser', existsSync(path))" },
  { path: 'packages/x/test/page.test.ts', text: "import { none } from './browser.ts'" },
  { path: 'packages/x/test/linux.test.ts', text: "const skip = lacking('linux', isLinux)" },
]

test('halvesOf: a test that needs what a machine with Node and git may lack is in the gate', () => {
  const halves = halvesOf(['packages/x/test/page.test.ts', 'packages/x/test/linux.test.ts'], files, readUses(files))
  assert.deepEqual(Object.fromEntries(halves), {
    'packages/x/test/page.test.ts': 'gate',
    'packages/x/test/linux.test.ts': 'quick',
  })
})

test('halvesOf: tests that start the command are in the gate, where it is built', () => {
  const halves = halvesOf(['packages/cli/test/call.test.ts', 'packages/cli/src/a.test.ts'], [], readUses([]))
  assert.deepEqual([...halves.values()], ['gate', 'quick'])
})

test('halvesOf: a test that only Windows can run is in no half elsewhere, and in the quick one there', () => {
  const own = [{ path: 'packages/x/test/w.test.ts', text: "const skip = lacking('windows', isWindows)" }]
  const halfOn = (platform: string) => halvesOf(['packages/x/test/w.test.ts'], own, readUses(own), platform)
  assert.deepEqual([...halfOn('linux').values()], ['elsewhere'])
  assert.deepEqual([...halfOn('win32').values()], ['quick'])
})
