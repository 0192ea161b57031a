import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { unwrapRemote } from './mcp-remote.ts'
import { isThisProgram } from './self.ts'

const url = 'https://example.com/mcp'

const wrapped: readonly (readonly [words: readonly string[], entry: ServerEntry])[] = [
  [['npx', 'mcp-remote', url], { url }],
  [['npx', '-y', 'mcp-remote@0.1.38', url], { url }],
  [['/usr/bin/npx', '--yes', 'mcp-remote', url, '--allow-http', '--debug'], { url }],
  [['cmd', '/c', 'npx', '-y', 'mcp-remote', url], { url }],
  [['bunx', 'mcp-remote', url], { url }],
  [['pnpm', 'dlx', 'mcp-remote', url], { url }],
  [['mcp-remote', url, '3334'], { url, oauth: { callbackPort: 3334 } }],
  [['npx', 'mcp-remote', url, '--transport', 'sse-only'], { url, type: 'sse' }],
  [['npx', 'mcp-remote', url, '--transport', 'http-first'], { url }],
  [
    ['npx', 'mcp-remote', url, '--header', 'X-A: b c', '--header', 'X-D:e'],
    { url, headers: { 'X-A': 'b c', 'X-D': 'e' } },
  ],
  [
    ['npx', 'mcp-remote', url, '--ignore-tool', 'rm', '--ignore-tool', 'mv*'],
    { url, tools: { except: ['rm', 'mv*'] } },
  ],
  [
    [
      'npx',
      'mcp-remote',
      url,
      '--resource',
      'r',
      '--static-oauth-client-info',
      '{"client_id":"i","client_secret":"s"}',
    ],
    { url, oauth: { resource: 'r', clientId: 'i', clientSecret: 's' } },
  ],
]

for (const [[command = '', ...args], entry] of wrapped) {
  test(`unwrapRemote: ${[command, ...args].join(' ')}`, () => {
    assert.deepEqual(unwrapRemote({ command, args }), { entry, left: [] })
  })
}

test('unwrapRemote: headers take variables of the wrapper, then of the host', () => {
  const entry = {
    command: 'npx',
    args: ['mcp-remote', url, '--header', 'A: $${X} ${Y}'],
    env: { X: 'x' },
    callTimeoutMs: 5,
  }
  assert.deepEqual(unwrapRemote(entry)?.entry, { url, headers: { A: 'x ${Y}' }, callTimeoutMs: 5 })
})

test('unwrapRemote: options that mean nothing here are named', () => {
  assert.deepEqual(unwrapRemote({ command: 'npx', args: ['mcp-remote', url, '--new-thing'] })?.left, ['--new-thing'])
})

const others: readonly (readonly string[])[] = [
  ['npx', '-y', 'server-github'],
  ['docker', 'run', 'mcp-remote', url],
  ['npx', 'mcp-remote'],
  ['npx', 'mcp-remote', 'not-an-address'],
  ['npx', 'other', 'mcp-remote', url],
]

for (const [command = '', ...args] of others) {
  test(`unwrapRemote: ${[command, ...args].join(' ')} stays as it is`, () => {
    assert.equal(unwrapRemote({ command, args }), undefined)
  })
}

const selves: readonly (readonly [words: readonly string[], isSelf: boolean])[] = [
  [['trunkline', 'stdio'], true],
  [['/opt/bin/trunkline', 'stdio'], true],
  [['npx', '-y', 'trunkline', 'stdio'], true],
  [['npx', '@trunkline/cli@1.2.3'], true],
  [['cmd', '/c', 'trunkline.cmd', 'stdio'], true],
  [['node', '/x/node_modules/.bin/trunkline', 'stdio'], true],
  [['/opt/node/bin/node', '/opt/trunkline/bin/trunkline.js', 'stdio', '--client', 'cursor', '--server', 'x'], true],
  [['node', '/opt/trunkline/bin/trunkline.js', 'wrap', 'git'], false],
  [['server', '--name', 'trunkline'], false],
  [['npx', 'server', 'trunkline'], false],
  [['trunkline-notes'], false],
  [['trunkline', 'wrap', 'git'], false],
  [['npx', '-y', 'trunkline', '--json', 'wrap', 'stdio'], false],
]

for (const [[command = '', ...args], isSelf] of selves) {
  test(`isThisProgram: ${[command, ...args].join(' ')} ${isSelf ? 'is' : 'is not'}`, () => {
    assert.equal(isThisProgram({ command, args }, []), isSelf)
  })
}
