import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxMessageChars, textToSay } from './app-talk.ts'

const message = (...texts: string[]) => ({
  role: 'user' as const,
  content: texts.map((text) => ({ type: 'text' as const, text })),
})

test('textToSay: names the app, whose words can be no other part of the message', () => {
  assert.equal(textToSay('shop', message(' Buy pears ', 'and plums')), '[app of shop] Buy pears \nand plums')
  assert.equal(textToSay('shop', message('/review @library://dune')), '[app of shop] /review @library://dune')
})

test('textToSay: nothing, too much, and what is not text is not said', () => {
  assert.equal(textToSay('shop', message('  ')), undefined)
  assert.equal(textToSay('shop', message()), undefined)
  assert.ok(textToSay('shop', message('x'.repeat(maxMessageChars))))
  assert.equal(textToSay('shop', message('x'.repeat(maxMessageChars), 'x')), undefined)
  const image = { type: 'image' as const, data: '', mimeType: 'image/png' }
  assert.equal(textToSay('shop', { role: 'user', content: [image] }), undefined)
})
