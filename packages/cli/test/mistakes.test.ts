import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostHome } from './host/host-home.ts'
import { fixture } from './run-cli.ts'

const broken = (way: string) => fixture('broken', way)

/** Mistakes of people, and failures they meet; each is reported in words. */
const mistakes: readonly (readonly string[])[] = [
  ['calll'],
  ['tools', '--jsn', ...broken('')],
  ['call', '--json', 'work', 'n=abc', ...broken('')],
  ['call', 'work', 'm=1', ...broken('')],
  ['call', 'wrk', ...broken('')],
  ['call', '--timeout', 'soon', 'work', ...broken('')],
  ['tools', ...broken('dies at once')],
  ['tools', ...broken('endless pages')],
  ['tools', 'http://127.0.0.1:1/mcp'],
  ['tools', 'http://'],
  ['tools', '--', 'no-such-program-anywhere'],
  ['read', 'x:y', ...broken('')],
  ['test', 'no-such-file.json'],
  ['replay', 'no-such-file.json'],
  ['policy', 'check', 'no-such-file.json'],
  ['audit', 'verify', 'no-such-file.json'],
  ['types', '--check', ...broken('')],
  ['status'],
  ['service', 'instal'],
  ['audit', 'verify', '--server', 'one'],
  ['audit', 'tail', '--act', 'x'],
  ['policy', 'check', '--days', '3'],
  ['lock', '--format', 'junit'],
  ['up', '--port', '-1'],
]

test('no mistake prints a stack trace, ends with 0, or goes unsaid', async () => {
  await using at = hostHome()
  for (const args of mistakes) {
    const { exit, stderr } = await at.run(...args)
    assert.notEqual(exit, 0, args.join(' '))
    assert.doesNotMatch(stderr, /^\s+at .+[:(]\d*|node:internal|mistake in trunkline itself/m, args.join(' '))
    assert.notEqual(stderr.trim(), '', args.join(' '))
  }
})
