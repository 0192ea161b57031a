import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, mock } from 'node:test'
import type { Client } from '@trunkline/mcp'
import type { Question } from '../../src/inbox/question.ts'
import type { RunningHost } from '../../src/running-host.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person, programEntry } from '../run/person.ts'

const hour = 3_600_000
const reads = ['read_note', 'read_file', 'read_issue', 'read_page']
const writes = ['note', 'file', 'issue', 'comment', 'branch', 'event', 'label', 'draft', 'row'].map(
  (one) => `create_${one}`,
)

/** What one day asks for: 230 reads, three web pages among them, 60 writes over nine tools, and ten that destroy. */
function* workOf(day: number): Generator<readonly [caller: number, tool: string, id: string]> {
  for (let count = 0; count < 300; count += 1) {
    const id = `${day}-${count}`
    // each tool is the business of one of the three clients
    if (count % 100 === 0) yield [(count / 100) % 3, 'web__read_page', id]
    else if (count % 30 === 29) yield [0, 'office__delete_file', id]
    else if (count % 5 === 3) yield [(count % 9) % 3, `office__${writes[count % 9]}`, id]
    else yield [count % 3, `office__${reads[count % 4]}`, id]
  }
}

/** A person who allows what writes for good, and looks at each thing that is destroyed. */
function present({ host }: RunningHost, asked: Question[]): void {
  host.inbox.addDoor({
    name: 'person',
    isLocal: true,
    present: (question) => {
      if (question.kind !== 'call') return
      asked.push(question)
      const choice = question.detail.class === 'destroys' ? 'once' : 'always'
      void host.inbox.answer(question.id, { choice, by: 'terminal' }, { isLocal: true })
    },
    withdraw() {},
  })
}

async function work(callers: readonly Client[], day: number): Promise<string[]> {
  const changed: string[] = []
  for (const [caller, tool, id] of workOf(day)) {
    const result = await callers[caller]?.tools.call(tool, { id })
    assert.ok(result && !result.isError, `${tool} ${id}: ${result && textOf(result)}`)
    const [, name = ''] = tool.split('__')
    if (!name.startsWith('read')) changed.push(`${name} ${id}`)
  }
  return changed
}

it('a day has 230 reads, three of them web pages, 60 writes over nine tools, and ten that destroy', () => {
  const tools = Array.from(workOf(1), ([, tool]) => tool)
  const count = (pattern: RegExp) => tools.filter((tool) => pattern.test(tool)).length
  const figures = [/__read_/, /^web__read_page$/, /__create_/, /__delete_/].map(count)
  assert.deepEqual(figures, [230, 3, 60, 10])
  assert.equal(new Set(tools.filter((tool) => tool.includes('__create_'))).size, 9)
})

it('a day: 300 calls of three clients, at most 25 questions; the next day at most 12; none for reads, never two for one', async (t) => {
  t.after(() => mock.restoreAll())
  using ann = person()
  const mcpServers = { office: programEntry('office'), web: programEntry('office', { data: 'untrusted' }) }
  ann.configure({ mcpServers })
  await using running = await ann.run({ ask: { holdMs: 10_000 } })
  for (const name of Object.keys(mcpServers)) await running.host.accept(name)
  const asked: Question[] = []
  present(running, asked)
  const names = ['cursor', 'claude-code', 'codex']
  const callers = await Promise.all(names.map((name) => callerOf(running, name)))
  const done = await work(callers, 1)
  const first = asked.splice(0)
  assert.ok(first.length <= 25, `${first.length} questions on the first day`)
  const real = Date.now.bind(Date)
  mock.method(Date, 'now', () => real() + 16 * hour)
  done.push(...(await work(callers, 2)))
  assert.ok(asked.length <= 12, `${asked.length} questions on the second day`)
  const readme = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8')
  const [, told, toldNext] = /\*\*(\d+) questions in a day of 300 calls\*\*, (\d+) the next day/.exec(readme) ?? []
  assert.deepEqual([first.length, asked.length].map(String), [told, toldNext], 'the README tells these figures')
  const all = [...first, ...asked]
  assert.deepEqual(
    all.filter(({ target }) => target.startsWith('read')),
    [],
  )
  const calls = all.map(({ target, detail }) => `${target} ${JSON.stringify(detail.arguments)}`)
  assert.equal(new Set(calls).size, calls.length, 'nobody was asked twice for one call')
  assert.equal(done.filter((one) => one.startsWith('delete')).length, 20)
  const [one] = callers
  assert.deepEqual(JSON.parse(textOf(await (one as Client).tools.call('office__list_done', {}))), done)
  assert.equal(running.host.ledger.verify().broken, undefined)
  for (const caller of callers) await caller.close()
})
