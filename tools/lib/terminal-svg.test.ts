import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminalSvg } from './terminal-svg.ts'

test('terminalSvg: text is text, and styles are colours', () => {
  const screen = 'a <b> & \u001b[1mbold\u001b[22m \u001b[36mname\u001b[39m\n\u001b[2mfaint\u001b[0m\n\n'
  const svg = terminalSvg(screen, 'A "question"')
  assert.match(
    svg,
    /a &lt;b&gt; &amp; <tspan fill="#cdd9e5" font-weight="bold">bold<\/tspan> <tspan fill="#39c5cf">name/,
  )
  assert.match(svg, /<tspan fill="#768390">faint<\/tspan><\/text>\n<\/g>/)
  assert.equal(svg.match(/<text/g)?.length, 2)
  assert.ok(!svg.includes('\u001b'))
})
