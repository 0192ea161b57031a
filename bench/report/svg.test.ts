import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawing, element, escapeMarkup, words } from './svg.ts'

test('element: closes itself when it is empty and shortens numbers', () => {
  assert.equal(element('rect', { x: 1.23456, class: 'bar' }), '<rect x="1.23" class="bar"/>')
})

test('element: escapes attributes', () => {
  assert.equal(element('a', { title: '"<&>"' }), '<a title="&quot;&lt;&amp;&gt;&quot;"/>')
})

test('words: escapes text', () => {
  assert.equal(words('a < b', { x: 0 }), '<text x="0">a &lt; b</text>')
})

test('escapeMarkup: escapes once', () => {
  assert.equal(escapeMarkup('&lt;'), '&amp;lt;')
})

test('drawing: stands alone', () => {
  const svg = drawing({ title: 'a & b', width: 10, height: 20, style: 'rect{}' }, [element('rect', {})])
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 10 20"/)
  assert.match(svg, /<title>a &amp; b<\/title><style>rect\{\}<\/style><rect\/><\/svg>\n$/)
})
