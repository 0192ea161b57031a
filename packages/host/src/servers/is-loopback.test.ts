import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from './is-loopback.ts'

test('isLoopback: addresses of this machine, in every spelling that URLs know', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    '127.0.0.1.',
    '127.0.0.1',
    '127.1',
    '127.255.0.9',
    '2130706433',
    '0x7f.1',
    '[::1]',
  ])
    assert.equal(isLoopback(`http://${host}:8080/mcp`), true, host)
})

test('isLoopback: a name or address that only looks like one of this machine is none', () => {
  const others = [
    '127.0.0.1.example.com',
    'localhost.example.com',
    'example.127.0.0.1.nip.io',
    'x127.0.0.1',
    '128.0.0.1',
    '12.7.0.0',
    '[::2]',
    '[::ffff:10.0.0.1]',
    'user@example.com',
    '127.0.0.1@example.com',
  ]
  for (const host of others) assert.equal(isLoopback(`http://${host}/mcp`), false, host)
  for (const text of ['', 'localhost', '127.0.0.1', 'http://', 'unix:/run/x'])
    assert.equal(isLoopback(text), false, text)
})
