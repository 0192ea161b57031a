/** Number of questions in a day of 300 calls, for each of the habits that people answer with. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, mock } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { chosenCoverage, coverageOf, shownCoverage } from '../../src/api/answer-coverage.ts'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import type { Answer, Question } from '../../src/inbox/question.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { type Person, person, programEntry } from '../run/person.ts'

const secondMs = 1_000
const hourMs = 3_600_000
const reads = ['read_note', 'read_file', 'read_issue', 'read_page']
const writes = ['note', 'file', 'issue', 'comment', 'branch', 'event', 'label', 'draft', 'row'].map(
  (one) => `create_${one}`,
)
const names = ['cursor', 'claude-code', 'codex']

/** Tools that each client has for itself, or that all three of them use. */
type Sharing = 'own' | 'shared'

interface Call {
  readonly caller: number
  readonly tool: string
  readonly id: string
}

/** Calls of one day: 230 reads, three web pages among them, 60 writes over nine tools, and ten that destroy. */
function workOf(day: number, sharing: Sharing): readonly Call[] {
  return Array.from({ length: 300 }, (_, count): Call => {
    const id = `${day}-${count}`
    if (count % 100 === 0) return { caller: (count / 100) % 3, tool: 'web__read_page', id }
    if (count % 30 === 29) {
      return { caller: sharing === 'own' ? 0 : ((count - 29) / 30) % 3, tool: 'office__delete_file', id }
    }
    if (count % 5 !== 3) return { caller: count % 3, tool: `office__${reads[count % 4]}`, id }
    // of nine writes in a row each is of another tool; who makes them moves on by one with every nine
    const number = (count - 3) / 5
    const caller = sharing === 'own' ? (count % 9) % 3 : (number + Math.floor(number / 9)) % 3
    return { caller, tool: `office__${writes[count % 9]}`, id }
  })
}

/** Duration that a person chooses for an answer. */
type Lasting = 'once' | 'session' | 'project' | 'always' | 'mixed'

/**
 * A habit of answering. The first answer is never widened. Those who widen choose "all writing tools of this server" when a
 * client comes with another tool of a server of which they have allowed it one today, and "all my clients" when a client
 * comes with a tool that they have allowed another client today. Those who hesitate do so only the second time that
 * happens. A rule is for one tool, so that "always" is widened to all clients alone; "once" is never widened.
 */
interface Habit {
  readonly lasting: Lasting
  readonly sharing: Sharing
  readonly widens: 'never' | 'at once' | 'hesitates'
  /** @default a revision with sessions, as editors speak it */
  readonly revision?: '2025-11-25' | '2026-07-28'
  /** True if the reads of the day are made as well; the questions are the same without them. @default false */
  readonly reads?: boolean
}

/** Habits in the order of the table in the documentation. */
const documentedHabits: readonly Habit[] = [
  ...(['session', 'project', 'mixed', 'always'] as const).flatMap((lasting): Habit[] => [
    { lasting, sharing: 'own', widens: 'never' },
    { lasting, sharing: 'shared', widens: 'never' },
    { lasting, sharing: 'shared', widens: 'at once', reads: lasting === 'session' || (lasting === 'mixed' && isLong) },
  ]),
  ...(['session', 'mixed'] as const).map((lasting): Habit => ({ lasting, sharing: 'shared', widens: 'hesitates' })),
  { lasting: 'once', sharing: 'shared', widens: 'never' },
  { lasting: 'session', sharing: 'shared', widens: 'at once', revision: '2026-07-28' },
]

/** Habits of the people who work: all in the long form, else each with a goal, each duration, sharing and way to widen. */
const habits = documentedHabits.filter((habit) => {
  const { lasting, sharing, widens } = habit
  return (
    isLong || hasGoal(habit) || widens === 'at once' || lasting === 'once' || (lasting === 'mixed' && sharing === 'own')
  )
})

const inTurn = ['once', 'session', 'always'] as const

/** A person with a habit, who works in a project of their own with three clients. */
class Worker {
  readonly habit: Habit
  readonly project: string
  readonly asked: Question[] = []
  /** The tools that each client was allowed today. */
  readonly #allowed = new Map<string, Set<string>>()
  #answers = 0
  #occasions = { tools: 0, clients: 0 }

  constructor(habit: Habit, project: string) {
    this.habit = habit
    this.project = project
  }

  /** Forgets the answers of the day; returns its questions. */
  sleep(): readonly Question[] {
    this.#allowed.clear()
    this.#occasions = { tools: 0, clients: 0 }
    return this.asked.splice(0)
  }

  /** The answer to a question, with its coverage. */
  answerTo(question: Question, host: RunningHost['host']): Answer {
    this.asked.push(question)
    if (question.detail.class === 'destroys') return { choice: 'once', by: 'terminal' }
    const { lasting } = this.habit
    const choice = lasting === 'mixed' ? (inTurn[this.#answers % inTurn.length] ?? 'once') : lasting
    this.#answers += 1
    const offered = coverageOf(question, host)
    const { tools = [], clients = [], seen } = shownCoverage(offered ?? assert.fail('it can be widened'))
    const wanted = this.#wanted(question)
    const covers = (['writing-tools', 'all-clients'] as const).filter((one) => {
      if (choice === 'once' || (choice === 'always' && one === 'writing-tools')) return false
      return one === 'writing-tools' ? wanted.tools : wanted.clients
    })
    const all = { tools: covers.includes('writing-tools'), clients: covers.includes('all-clients') }
    for (const client of all.clients ? clients : [question.principal])
      for (const tool of all.tools ? tools : [question.target]) this.#allow(client, tool)
    const chosen = chosenCoverage(question, { covers, seen }, host)
    return { choice, by: 'terminal', ...(chosen && { covers: chosen }) }
  }

  #allow(client: string, tool: string): void {
    this.#allowed.set(client, (this.#allowed.get(client) ?? new Set()).add(tool))
  }

  #wanted({ principal, target }: Question): { readonly tools: boolean; readonly clients: boolean } {
    const others = [...this.#allowed].filter(([client]) => client !== principal)
    const occasion = {
      tools: (this.#allowed.get(principal)?.size ?? 0) > 0,
      clients: others.some(([, tools]) => tools.has(target)),
    }
    if (this.habit.widens === 'never') return { tools: false, clients: false }
    const isMet = (which: 'tools' | 'clients'): boolean => {
      if (!occasion[which]) return false
      this.#occasions[which] += 1
      return this.habit.widens === 'at once' || this.#occasions[which] > 1
    }
    return { tools: isMet('tools'), clients: isMet('clients') }
  }
}

/** Connects the three clients of each worker to the host, in the project of the worker. */
async function connected(running: RunningHost, workers: readonly Worker[]): Promise<readonly (readonly Client[])[]> {
  const made = await Promise.all(names.map((name) => running.host.principals.make({ name })))
  return Promise.all(
    workers.map(({ project, habit: { revision = '2025-11-25' } }) =>
      Promise.all(
        made.map(({ token }) => {
          const headers = { authorization: `Bearer ${token}`, ...projectHeader(project) }
          return connect(new URL(running.host.url), { revisions: [revision], http: { headers } })
        }),
      ),
    ),
  )
}

function workersOf(ann: Person): readonly Worker[] {
  return habits.map((habit, at) => {
    const project = join(ann.home, `work-${at}`)
    mkdirSync(project)
    return new Worker(habit, project)
  })
}

/** Questions except those about tools that destroy, which ask each time. */
const besides = (asked: readonly Question[]) => asked.filter(({ detail }) => detail.class !== 'destroys').length

interface Figure {
  readonly habit: Habit
  readonly days: readonly [first: number, second: number]
}

/** Habits that the limits of questions are promised for. */
function hasGoal({ lasting, sharing, widens }: Habit): boolean {
  return (lasting === 'session' || lasting === 'mixed') && sharing === 'shared' && widens !== 'never'
}

/** A row of the table in the documentation. */
function rowOf({ habit: { lasting, sharing, widens, revision }, days }: Figure): string {
  const answers = revision === undefined ? lasting : `${lasting}, without sessions`
  return [answers, sharing, widens, ...days].join(' | ')
}

/** Both numbers of such a row. */
function daysOf(row: string): Figure['days'] {
  const [first, second] = row.split(' | ').slice(-2).map(Number)
  return [first ?? Number.NaN, second ?? Number.NaN]
}

/** The least and the most of both days, with a goal and of all habits. */
function rangesOf(figures: readonly Figure[]): readonly string[] {
  return [figures.filter(({ habit }) => hasGoal(habit)), figures].flatMap((some) =>
    ([0, 1] as const).map((day) => {
      const counts = some.map(({ days }) => days[day])
      return `${Math.min(...counts)} to ${Math.max(...counts)}`
    }),
  )
}

/** Numbers in README and documentation. */
function documented(): { readonly rows: readonly string[]; readonly readme: readonly string[] } {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8')
  const [, section = ''] = read('docs/host.md').split('## How many questions')
  const [table = ''] = section.split('\n## ')
  const rows = Array.from(table.matchAll(/^\| (?!habit)(\w.*\d) +\|$/gm), ([, row = '']) => row.replace(/ +\|/g, ' |'))
  const [, ...readme] =
    /(\d+ to \d+) questions in a day of 300 calls\*\*, (\d+ to \d+) the next[\s\S]*it is (\d+ to \d+), and (\d+ to \d+)/.exec(
      read('README.md'),
    ) ?? []
  return { rows, readme }
}

it('a day has 230 reads, three of them web pages, 60 writes over nine tools, and ten that destroy', () => {
  for (const sharing of ['own', 'shared'] as const) {
    const work = workOf(1, sharing)
    const count = (pattern: RegExp) => work.filter(({ tool }) => pattern.test(tool)).length
    assert.deepEqual([/__read_/, /^web__read_page$/, /__create_/, /__delete_/].map(count), [230, 3, 60, 10])
    const users = new Set(
      work.filter(({ tool }) => tool.includes('__create_')).map(({ caller, tool }) => caller + tool),
    )
    assert.equal(users.size, sharing === 'own' ? 9 : 27, 'tools have one client each, or all three')
  }
})

it('a day of 300 calls over eight hours asks for ten that destroy and, with habits people have, for few others', async (t) => {
  t.after(() => mock.timers.reset())
  using ann = person()
  ann.configure({ mcpServers: { office: programEntry('office'), web: programEntry('office', { data: 'untrusted' }) } })
  await using running = await ann.run({ everyMs: hourMs, ask: { holdMs: 60_000 } })
  const { host } = running
  for (const name of ['office', 'web']) await host.accept(name)
  const workers = workersOf(ann)
  host.inbox.addDoor({
    name: 'person',
    isLocal: true,
    present: (question) => {
      const worker = workers.find(({ project }) => project === question.project)
      if (question.kind !== 'call' || !worker) return
      void host.inbox.answer(question.id, worker.answerTo(question, host), { isLocal: true })
    },
    withdraw() {},
  })
  const clients = await connected(running, workers)
  let now = Date.now()
  mock.timers.enable({ apis: ['Date'], now })
  const pass = (ms: number): void => {
    now += ms
    mock.timers.setTime(now)
  }
  const done: string[] = []
  const live = async (day: number): Promise<void> => {
    const works = workers.map(({ habit }) => workOf(day, habit.sharing))
    for (let count = 0; count < 300; count += 1) {
      for (const [at, work] of works.entries()) {
        const { caller, tool, id } = work[count] ?? assert.fail()
        if (tool.includes('__read_') && !habits[at]?.reads) continue
        const result = await clients[at]?.[caller]?.tools.call(tool, { id: `${at} ${id}` })
        assert.ok(result && !result.isError, `${tool} ${id}: ${result && textOf(result)}`)
        if (!tool.includes('__read_')) done.push(`${tool.replace('office__', '')} ${at} ${id}`)
      }
      pass(96 * secondMs)
    }
  }
  await live(1)
  const first = workers.map((worker) => worker.sleep())
  pass(16 * hourMs)
  await live(2)
  const { rows, readme } = documented()
  const figures = documentedHabits.map((habit, row): Figure => {
    const at = habits.indexOf(habit)
    const worker = workers[at]
    if (!worker) return { habit, days: daysOf(rows[row] ?? '') }
    return { habit, days: [besides(first[at] ?? []), besides(worker.asked)] }
  })
  for (const [at, { asked }] of workers.entries()) {
    const all = [...(first[at] ?? []), ...asked]
    assert.equal(all.length - besides(all), 20, 'what destroys asks each time, with every habit')
    assert.ok(
      all.every(({ target }) => !target.startsWith('read')),
      'reads ask never',
    )
    const calls = all.map(({ detail }) => JSON.stringify(detail.arguments))
    assert.equal(new Set(calls).size, calls.length, 'never two for one call')
  }
  for (const { habit, days } of figures.filter(({ habit }) => hasGoal(habit))) {
    assert.ok(days[0] <= 15 && days[1] <= 9, `${JSON.stringify(habit)}: ${days.join(' and ')}`)
  }
  assert.deepEqual({ rows, readme }, { rows: figures.map(rowOf), readme: rangesOf(figures) })
  const [reader = assert.fail()] = clients.flat()
  assert.deepEqual(JSON.parse(textOf(await reader.tools.call('office__list_done', {}))), done)
  assert.equal(host.ledger.verify().broken, undefined)
  for (const client of clients.flat()) await client.close()
})
