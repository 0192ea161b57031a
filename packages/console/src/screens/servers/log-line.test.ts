import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lineText, passesFilter, shownLine } from './log-line.ts'

const line = (text: string, level?: 'debug' | 'warning' | 'alert') =>
  shownLine({ at: 0, number: 1, text, ...(level && { level }) })

it('shownLine: has the severity that a message declares, or that a line of stderr begins with', () => {
  const seen = [
    line('(log) alert db: gone', 'alert'),
    line('(log) debug fine', 'debug'),
    line('2026-01-01 12:00 WARN slow'),
    line('TypeError: no'),
    line('(host) it runs'),
    line('listening'),
  ].map(({ from, severity, text }) => [from, severity, text])
  assert.deepEqual(seen, [
    ['message', 'error', 'db: gone'],
    ['message', 'debug', 'fine'],
    ['stderr', 'warning', '2026-01-01 12:00 WARN slow'],
    ['stderr', 'error', 'TypeError: no'],
    ['host', 'info', 'it runs'],
    ['stderr', undefined, 'listening'],
  ])
})

it('passesFilter: leaves out what is less grave or lacks the words, but no stderr that names no severity', () => {
  assert.equal(passesFilter(line('listening'), 'warning', 'LISTEN'), true)
  assert.equal(passesFilter(line('listening'), 'error', ''), false)
  assert.equal(passesFilter(line('(log) debug fine', 'debug'), 'info', ''), false)
  assert.equal(passesFilter(line('TypeError: no'), 'error', 'other'), false)
  assert.equal(lineText(line('(log) warning slow', 'warning')), '1970-01-01T00:00:00.000Z message warning slow')
})
