import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheFolder } from './places.ts'
import { complaint } from './program.ts'

test('complaint: finds the error among the lines of a trace', () => {
  const words = 'node:internal/modules:1\n  throw x\n\nTypeError [ERR_X]: no such thing\n    at here\n'
  assert.equal(complaint(words), 'TypeError [ERR_X]: no such thing')
})

test('complaint: cuts places short', () => {
  assert.equal(complaint(`Error: cannot find ${cacheFolder}/raw/http.js`), 'Error: cannot find raw/http.js')
})

test('complaint: falls back to the first words, or to none', () => {
  assert.equal(complaint('\n  usage: server\n'), 'usage: server')
  assert.equal(complaint(''), 'it said nothing')
})
