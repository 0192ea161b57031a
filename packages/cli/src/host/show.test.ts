import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionLines, type ServerSummary, type ShownQuestion, serverTable } from './show.ts'

const textOf = (line: unknown): string => {
  if (typeof line === 'string') return line
  if (Array.isArray(line)) return line.map(textOf).join('')
  return String((line as { readonly text: string }).text)
}

test('questionLines: a changed definition is shown as its differences, not as a whole', () => {
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field${at}`, { type: 'string' }]))
  const definition = { name: 'send', description: 'Sends it everywhere', inputSchema: { type: 'object', properties } }
  const changes = [{ at: 'description', before: 'Sends it', after: 'Sends it everywhere', meaning: 'another text' }]
  const entries = [
    { kind: 'tool', name: 'send', standing: 'changed', class: 'writes', changes, findings: [], definition },
    {
      ...{ kind: 'tool', name: 'get', standing: 'new', class: 'reads', changes: [] },
      ...{ findings: [{ at: 'description', why: 'speaks to a model' }], definition: { name: 'get' } },
    },
  ]
  const question = {
    ...{
      id: 'q1',
      kind: 'definition',
      server: 'mail',
      target: 'send, get',
      principal: 'server mail',
      why: 'it changed',
    },
    ...{ detail: { entries }, askedAt: Date.now() },
  } as unknown as ShownQuestion
  const lines = questionLines(question).map(textOf)
  assert.deepEqual(lines.slice(2, -1), [
    'changed mail:send',
    '@ description (another text)',
    '- Sends it',
    '+ Sends it everywhere',
    'new mail:get',
    '! description speaks to a model',
    '@ name (new)',
    '+ get',
  ])
})

test('serverTable: a server that sleeps is idle', () => {
  const server = { name: 'files', state: 'waiting', why: '', isAccepted: true, tools: 2, tokens: 9, callsIn30Days: 0 }
  const lines = serverTable([server as unknown as ServerSummary], 80).map(textOf)
  assert.match(lines[1] ?? '', /^files +idle /)
  assert.doesNotMatch(lines.join('\n'), /waiting/)
})

test('questionLines: a question whose caller is gone says so, and what an answer does', () => {
  const question = {
    ...{ id: 'q1', kind: 'call', server: 'mail', target: 'send', principal: 'editor', why: 'it writes' },
    ...{ detail: { arguments: { to: 'ann' } }, askedAt: Date.now() },
  } as unknown as ShownQuestion
  const gone = { ...question, abandoned: { approvalMs: 15 * 60_000 } }
  const lines = questionLines(gone).map(textOf)
  assert.equal(
    lines[2],
    'Its caller does not wait any more: nothing runs now; if you allow it, the next call with the same arguments within 15 min runs without asking',
  )
  const waits = questionLines(question).map(textOf)
  assert.deepEqual(waits, lines.toSpliced(2, 1))
})
