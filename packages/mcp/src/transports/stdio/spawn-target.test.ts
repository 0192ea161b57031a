import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpError } from '../../wire/errors.ts'
import { checkTarget, type SpawnTarget } from './spawn-target.ts'

test('checkTarget: takes whatever can be meant literally', () => {
  checkTarget({ command: 'a b', args: ['; touch x', '$(x)', '"', ''], env: { A: '`x`' }, cwd: '/tmp' })
})

test('checkTarget: refuses line breaks and NUL everywhere, and names the place', () => {
  const bad: Record<string, (text: string) => SpawnTarget> = {
    command: (text) => ({ command: text }),
    args: (text) => ({ command: 'x', args: ['fine', text] }),
    env: (text) => ({ command: 'x', env: { A: text } }),
    cwd: (text) => ({ command: 'x', cwd: text }),
  }
  for (const [place, target] of Object.entries(bad)) {
    for (const text of ['a\nb', 'a\rb', 'a\0b']) {
      assert.throws(
        () => checkTarget(target(text)),
        (error) => error instanceof McpError && error.code === 'Misuse' && error.message.includes(place),
      )
    }
  }
  assert.throws(() => checkTarget({ command: 'x', env: { 'A\nB': '' } }), McpError)
})
