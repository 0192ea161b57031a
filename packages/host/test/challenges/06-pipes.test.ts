import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client, Fields } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parsePlan } from '../../src/pipe/parse-plan.ts'
import { pipeDefaults } from '../../src/pipe/pipe-limits.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { acceptServer, killableHome } from '../kills/killable.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const { resolve } = createRequire(import.meta.url)
const folder = temporaryFolder()
const notes = join(folder.path, 'notes.txt')
const limits = { maxItems: 20, maxCalls: 30, maxParallel: 4, maxKeptBytes: 200_000, maxTotalMs: 4_000 }

function published(name: string, args: readonly string[], env: { readonly [name: string]: string } = {}): ServerSpec {
  const file = join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js')
  return { name, launch: { kind: 'program', command: process.execPath, args: [file, ...args], cwd: '/', env } }
}

const tracker = (() => {
  const spec = programSpec('tracker', 'tracker')
  const { launch } = spec
  if (launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...launch, env: { ...launch.env, NOTES: notes } } }
})()

const done = (): readonly string[] => readFileSync(notes, 'utf8').split('\n').filter(Boolean)
const fromId = { $from: '/item/id' }
const list = (id: string, count = 4): Fields => ({ id, call: 'tracker__list_issues', arguments: { count } })

interface Told {
  readonly run: string
  readonly state: string
  readonly output?: unknown
  readonly steps: readonly Fields[]
  readonly stopped?: { readonly step: string; readonly reason: string; readonly message: string }
  readonly notable: readonly Fields[]
}

describe('plans over three servers', () => {
  let running: RunningHost
  let mcp: Client

  before(async () => {
    writeFileSync(notes, '')
    mkdirSync(join(folder.path, 'files'))
    for (const id of [1, 2, 3, 4]) writeFileSync(join(folder.path, `files/${id}.txt`), `body of ${id}`)
    const rules = [
      parseRule('allow', 'memory:*', source),
      parseRule('allow', 'tracker:*', source),
      parseRule('ask', 'tracker:close_issue{id=7}', source),
      parseRule('deny', 'tracker:close_issue{id=3}', source),
    ]
    const memory = join(folder.path, 'memory.jsonl')
    running = await runningHost({
      servers: [
        tracker,
        published('filesystem', [join(folder.path, 'files')]),
        published('memory', [], { MEMORY_FILE_PATH: memory }),
      ],
      rules,
      pipe: limits,
      maxResultBytes: () => 50_000,
      dataOf: (server) => (server === 'filesystem' ? 'untrusted' : undefined),
    })
    running.host.setProfiles({ plans: { pipe: true } })
    mcp = await running.dial()
  })
  after(async () => {
    await mcp.close()
    await running[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const pipe = (steps: readonly Fields[], more: Fields = {}) => mcp.tools.call('pipe', { plan: { steps, ...more } })
  const told = async (steps: readonly Fields[], more: Fields = {}) =>
    (await pipe(steps, more)).structuredContent as unknown as Told
  const refusal = async (steps: readonly Fields[], more: Fields = {}): Promise<string> => {
    const calls = () => queryLedger(running.host.store, { server: 'tracker' })[0]?.line.act
    const last = calls()
    const result = await pipe(steps, more)
    assert.equal(result.isError, true)
    assert.equal(calls(), last, 'nothing was called')
    return textOf(result)
  }

  it('is listed where a profile wants it', async () => {
    const names = async (client: Client) => (await client.tools.list().all()).map(({ name }) => name)
    assert.ok(!(await names(mcp)).includes('pipe'))
    await using planner = await running.dial('/profile/plans', { name: 'planner' })
    assert.ok((await names(planner)).includes('pipe'))
  })

  it('lists, filters, maps and stores; values in between stay in the host, and each call is an act', async () => {
    const result = await pipe(
      [
        { ...list('issues'), arguments: { folder: join(folder.path, 'files') } },
        {
          id: 'urgent',
          filter: '/issues/items',
          where: { properties: { priority: { const: 'high' } }, required: ['priority'] },
        },
        {
          id: 'bodies',
          map: '/urgent',
          as: 'issue',
          atOnce: 2,
          steps: [
            { id: 'read', call: 'filesystem__read_text_file', arguments: { path: { $from: '/issue/path' } } },
            {
              id: 'save',
              call: 'memory__create_entities',
              arguments: {
                entities: [
                  {
                    name: { $text: ['issue ', { $from: '/issue/id' }] },
                    entityType: 'issue',
                    observations: [{ $from: '/read/content' }],
                  },
                ],
              },
            },
          ],
          output: { $from: '/save/entities/0/name' },
        },
      ],
      { output: { saved: { $from: '/bodies' }, of: { $from: '/issues/items/3/id' } } },
    )
    const { output, state, steps } = result.structuredContent as unknown as Told
    assert.equal(state, 'done', textOf(result))
    assert.deepEqual(output, { saved: ['issue 1', 'issue 3'], of: 4 })
    assert.deepEqual(
      steps.map(({ step, done: count }) => [step, count]),
      [
        ['issues', 1],
        ['bodies/read', 2],
        ['bodies/save', 2],
      ],
    )
    assert.ok(!JSON.stringify(result).includes('body of'), 'what was read is not told')
    // a value made of untrusted text is untrusted
    assert.equal(result._meta?.['dev.trunkline/untrusted'], 'filesystem')
    const acts = queryLedger(running.host.store, { server: 'memory' }).filter(({ line }) => line.kind === 'ended')
    assert.equal(acts.length, 2)
    const calls = queryLedger(running.host.store, {}).filter(({ line }) => line.actKind === 'call')
    assert.equal(new Set(calls.map(({ line }) => line.trace)).size, 1, JSON.stringify(calls))
  })

  it('a denied step stops it, whatever it says about errors; later steps are not begun', async () => {
    writeFileSync(notes, '')
    const closing = {
      id: 'close',
      call: 'tracker__close_issue',
      arguments: { id: fromId },
      onError: { use: { closed: 0 } },
    }
    const result = await pipe([
      list('issues'),
      { id: 'all', map: '/issues/items', steps: [closing], onError: 'skip' },
      { id: 'late', call: 'tracker__wait', arguments: { ms: 1 } },
    ])
    const { state, stopped, steps } = result.structuredContent as unknown as Told
    assert.equal(state, 'stopped')
    assert.deepEqual([stopped?.step, stopped?.reason], ['all/close[2]', 'denied'])
    assert.match(textOf(result), /The policy denies call "close_issue" of server "tracker"/)
    assert.deepEqual(done(), ['closed 1', 'closed 2'])
    assert.deepEqual(steps.at(-1), { step: 'late', tool: 'tracker__wait', done: 0, failed: 0, unknown: 0 })
  })

  it('a question asks, about the inner tool and its arguments, and the plan goes on with the answer', async () => {
    writeFileSync(notes, '')
    const waiting = pipe([{ id: 'close', call: 'tracker__close_issue', arguments: { id: 7 } }])
    await until(() => running.host.inbox.open.length === 1, 'a question')
    const [question] = running.host.inbox.open
    assert.deepEqual([question?.server, question?.target], ['tracker', 'close_issue'])
    assert.deepEqual(question?.detail.arguments, { id: 7 })
    await running.host.inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
    assert.deepEqual(((await waiting).structuredContent as unknown as Told).output, { closed: 7 })
    assert.deepEqual(done(), ['closed 7'])
  })

  it('steps in parallel, groups, text as JSON, and values in place of failures', async () => {
    const { output, steps } = await told(
      [
        {
          id: 'both',
          parallel: [
            { id: 'text', call: 'tracker__list_as_text', result: 'json' },
            { id: 'group', steps: [list('some', 1), { id: 'odd', call: 'tracker__break', arguments: { id: 1 } }] },
          ],
        },
        { id: 'even', call: 'tracker__break', arguments: { id: 2 }, onError: { use: 'none' } },
        {
          id: 'some',
          map: '/both/text',
          steps: [{ id: 'try', call: 'tracker__break', arguments: { id: fromId } }],
          onError: 'skip',
        },
      ],
      { output: [{ $from: '/both/group' }, { $from: '/even' }, { $from: '/some' }, { $value: { $from: 'as it is' } }] },
    )
    assert.deepEqual(output, ['1 is odd', 'none', ['1 is odd'], { $from: 'as it is' }])
    assert.deepEqual(steps.at(-1), { step: 'some/try', tool: 'tracker__break', done: 1, failed: 1, unknown: 0 })
  })

  it('types that do not fit are refused before the first call, with step, field and expectation', async () => {
    const close = (args: Fields) => [list('issues'), { id: 'close', call: 'tracker__close_issue', arguments: args }]
    const cases: readonly [steps: readonly Fields[], said: RegExp][] = [
      [
        close({ id: { $from: '/issues/items/0/title' } }),
        /step "close", arguments\.id: expects integer, and gets string/,
      ],
      [close({ id: 'x' }), /step "close", arguments\.id: expects integer, and gets string/],
      [close({ id: 1.5 }), /step "close", arguments\.id: /],
      [close({}), /step "close", arguments\.id: is missing; it expects integer/],
      [close({ id: { $text: ['a'] } }), /arguments\.id: expects integer, and gets string/],
      [close({ id: { $from: '/issues/items' } }), /arguments\.id: expects integer, and gets array/],
      [
        close({ id: { $from: '/issues/total' } }),
        /"\/issues\/total" refers to nothing: there is no "total"; it has "items"/,
      ],
      [close({ id: { $from: '/isues/items' } }), /there is no step "isues" before it; did you mean "\/issues"\?/],
      [
        [list('issues'), { id: 'each', map: '/issues/items/0', steps: [list('x')] }],
        /step "each", map: expects a list/,
      ],
      [
        [{ id: 'x', call: 'tracker__list_isues' }],
        /there is no tool "tracker__list_isues" here; did you mean "tracker__list_issues"\?/,
      ],
      [
        [
          { id: 'a', call: 'tracker__break', arguments: { id: { $from: '/b' } } },
          { id: 'b', call: 'tracker__break', arguments: { id: { $from: '/c' } } },
          { id: 'c', call: 'tracker__break', arguments: { id: { $from: '/a' } } },
        ],
        /the steps "a", "b", "c", "a" refer to each other in a circle/,
      ],
      [[{ id: 'a', call: 'tracker__break', arguments: { id: { $from: '/a' } } }], /a step cannot refer to itself/],
      [[list('a'), list('a')], /step "a", id: another step that it can see has the same id/],
      [[{ id: 'a', call: 'pipe', arguments: { plan: {} } }], /there is no tool "pipe" here/],
    ]
    for (const [steps, said] of cases) {
      const text = await refusal(steps)
      assert.match(text, /^Cannot run the plan, and nothing was called: /)
      assert.match(text, said)
    }
    assert.match(await refusal([list('a')], { output: { $from: '/b' } }), /output: "\/b" refers to nothing/)
    const checked = await mcp.tools.call('pipe', { plan: { steps: [list('a')] }, check: true })
    assert.match(textOf(checked), /nothing was called\na: calls "tracker__list_issues" of server "tracker" \(reads\)/)
  })

  it('a bad plan is refused with the place and the expected content', () => {
    const settings = { ...pipeDefaults, maxSteps: 3, maxNesting: 2 }
    const nested = (depth: number): Fields => ({
      id: `n${depth}`,
      steps: depth === 0 ? [list('x')] : [nested(depth - 1)],
    })
    let deep: unknown = 1
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep]
    const cases: readonly [plan: unknown, said: RegExp][] = [
      [{ steps: Array.from({ length: 10_000 }, (_, at) => list(`s${at}`)) }, /it has (10000 steps|\d+ bytes), at most/],
      [{ steps: [1, 2, 3, 4].map((at) => list(`s${at}`)) }, /it has 4 steps, at most 3/],
      [{ steps: [nested(2)] }, /steps stand inside each other deeper than 2/],
      [{ steps: [{ ...list('x'), arguments: deep }] }, /nested deeper than 64/],
      [{ steps: [{ ...list('x'), arguments: { text: 'x'.repeat(300_000) } }] }, /has \d+ bytes, at most 262144/],
      [{ steps: [] }, /steps: must be a list of steps/],
      [{}, /steps: must be a list of steps/],
      [[], /it must be an object with "steps"/],
      [{ steps: [{ id: 'x' }] }, /steps\[0\]: must have one of call, map, filter, parallel, steps/],
      [{ steps: [{ id: '../x', call: 'y' }] }, /steps\[0\]\.id: must be a name/],
      [{ steps: [{ ...list('x'), retries: 3 }] }, /steps\[0\]\.retries: is not known/],
      [{ steps: [{ id: 'x', map: 'items', steps: [list('y')] }] }, /steps\[0\]\.map: must be a JSON Pointer/],
      [
        { steps: [{ id: 'x', map: '/a', atOnce: 99, steps: [list('y')] }] },
        /atOnce: must be a whole number from 1 to 8/,
      ],
      [{ steps: [{ ...list('x'), arguments: { a: { $form: '/x' } } }] }, /arguments\.a: "\$form" is not known/],
      [{ steps: [{ ...list('x'), onError: 'skip' }] }, /onError: must be "stop" or/],
    ]
    for (const [plan, said] of cases) assert.throws(() => parsePlan(plan, settings), said)
  })

  it('limits end a run with a report: items, calls, bytes, time; and calls are made a few at a time', async () => {
    const each = (count: number, steps: readonly Fields[], more: Fields = {}) => [
      list('issues', count),
      { id: 'each', map: '/issues/items', steps, ...more },
    ]
    const stopped = async (steps: readonly Fields[]) => (await told(steps)).stopped
    const quick = { id: 'quick', call: 'tracker__break', arguments: { id: 1 } }
    assert.match((await stopped(each(21, [quick])))?.message ?? '', /has 21 items, at most 20/)
    assert.match((await stopped(each(16, [quick, { ...quick, id: 'again' }])))?.message ?? '', /at most 30 calls/)
    const fill = { id: 'fill', call: 'tracker__fill', arguments: { bytes: 30_000 } }
    const full = await stopped(each(8, [fill]))
    assert.match(full?.message ?? '', /would take more than 200000 bytes/)
    // values that an item does not pass on are not kept
    assert.deepEqual((await told(each(8, [fill], { output: 'small' }))).output, Array(8).fill('small'))
    writeFileSync(notes, '')
    const long = { id: 'long', call: 'tracker__wait', arguments: { ms: 60_000 } }
    const late = await told([{ id: 'four', parallel: [1, 2, 3, 4, 5].map((at) => ({ ...long, id: `w${at}` })) }])
    assert.equal(late.stopped?.reason, 'timeout')
    assert.equal(done().filter((line) => line.startsWith('waits')).length, 4)
    assert.deepEqual(
      late.notable.map(({ state }) => state),
      Array(4).fill('unknown'),
    )
    // only the output is held against the limit of results
    const large = await pipe([{ ...fill, arguments: { bytes: 60_000 } }])
    assert.match(textOf(large), /more than the 50000 that are passed on/)
  })

  it('a caller that leaves ends it, and can ask for the report; another caller cannot', async () => {
    writeFileSync(notes, '')
    const stop = new AbortController()
    const steps = [
      { id: 'close', call: 'tracker__close_issue', arguments: { id: 1 } },
      { id: 'long', call: 'tracker__wait', arguments: { ms: 60_000 } },
    ]
    const call = mcp.tools.call('pipe', { plan: { steps } }, { signal: stop.signal })
    await until(() => done().length === 2, 'the second step')
    stop.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
    const report = async (client: Client) => client.tools.call('pipe', { report: 'last' })
    await until(async () => !/is running/.test(textOf(await report(mcp))), 'the end of the run')
    const text = textOf(await report(mcp))
    assert.match(text, /was stopped: step "long" \(cancelled\).*whether it was done is not known/)
    assert.match(text, /close \(tracker__close_issue\): 1 done/)
    await using other = await running.dial('', { name: 'other' })
    assert.match(textOf(await report(other)), /There is no such run of yours/)
  })
})

it('after kill -9 of the host it reports the finished calls, and does not go on', async () => {
  await using home = killableHome()
  const file = join(home.at.home, 'notes.txt')
  const program = programFile(new URL('../programs/tracker.ts', import.meta.url))
  home.at.configure({
    mcpServers: { tracker: { command: process.execPath, args: [program], env: { NOTES: file } } },
    policy: { allow: ['tracker:*'] },
  })
  const plan = {
    steps: [
      { id: 'close', call: 'tracker__close_issue', arguments: { id: 1 } },
      { id: 'long', call: 'tracker__wait', arguments: { ms: 60_000 } },
      { id: 'after', call: 'tracker__close_issue', arguments: { id: 2 } },
    ],
  }
  writeFileSync(file, '')
  writeFileSync(join(home.at.project, 'plan.json'), JSON.stringify(plan))
  const noted = (): readonly string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const first = await home.start()
  await acceptServer(first.api, 'tracker')
  const ran = home.at.run('pipe', 'plan.json')
  await until(() => noted().length === 2, 'the second step')
  await first.kill()
  const { exit, stderr } = await ran
  assert.equal(exit, 4, stderr)
  assert.match(stderr, /step "close" is done[\s\S]*trunkline pipe --report/)
  await home.start()
  const report = await home.at.run('pipe', '--report')
  assert.match(report.stdout, /was interrupted when the host ended, and is not taken up again/)
  assert.match(report.stdout, /close \(tracker__close_issue\): 1 done/)
  assert.match(report.stdout, /long \(tracker__wait\): 0 done, 1 unknown/)
  assert.match(report.stdout, /after \(tracker__close_issue\): not begun/)
  assert.ok(!noted().includes('closed 2'))
})
