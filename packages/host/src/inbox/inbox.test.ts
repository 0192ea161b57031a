import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { inboxTables } from '../store/tables/inbox-tables.ts'
import { approvalKey } from './approval-key.ts'
import { breadths, Grants, maxGrantedScopes } from './grants.ts'
import { Inbox, type InboxLimits, type NewQuestion } from './inbox.ts'
import type { Answer, Door, Question } from './question.ts'
import { withdrawAbandoned } from './withdraw-abandoned.ts'

const atTerminal = { isLocal: true }
const once: Answer = { choice: 'once', by: 'terminal' }

function opened(limits?: InboxLimits, path?: string) {
  const folder = temporaryFolder()
  const file = path ?? join(folder.path, 'state.sqlite')
  const store = openStore({ path: file, rooms: [inboxTables] })
  const inbox = new Inbox(store, limits)
  return {
    file,
    store,
    inbox,
    async [Symbol.asyncDispose]() {
      inbox.close()
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

function about(key: string, more: Partial<NewQuestion> = {}): NewQuestion {
  return {
    kind: 'call',
    key,
    server: 'files',
    target: 'write',
    principal: 'claude-code',
    principalId: 'p1',
    project: undefined,
    why: 'tools classed "writes" ask first',
    detail: { arguments: { path: '/tmp/x' } },
    by: undefined,
    ...more,
  }
}

function recordingDoor() {
  const presented: Question[] = []
  const withdrawn: string[] = []
  const door: Door = {
    name: 'test',
    isLocal: true,
    present: (question) => presented.push(question),
    withdraw: (id, by) => withdrawn.push(`${id} ${by}`),
  }
  return { door, presented, withdrawn }
}

describe('Inbox.hasAnswer', () => {
  it('an answer that could not take effect is an error for its door; it stays given, and every door hears of it', async () => {
    await using at = opened()
    const { door, withdrawn } = recordingDoor()
    at.inbox.addDoor(door)
    at.inbox.whenAnswered('definition', () => Promise.reject(new Error('the disk is full')))
    const { question } = await at.inbox.ask(about('k', { kind: 'definition' }))
    await assert.rejects(at.inbox.answer(question.id, once, atTerminal), /the disk is full/)
    assert.deepEqual(withdrawn, [`${question.id} terminal`])
    assert.deepEqual(at.inbox.open, [])
    assert.equal(at.inbox.settlementOf(question.id)?.state, 'answered')
  })

  it('knows an answer from the moment at which its question can no longer be joined', async () => {
    await using at = opened()
    const { question } = await at.inbox.ask(about('k'))
    assert.equal(at.inbox.hasAnswer('k'), false)
    const answering = at.inbox.answer(question.id, once, atTerminal)
    assert.equal(at.inbox.hasAnswer('k'), true)
    await answering
    assert.deepEqual((await at.inbox.take('k'))?.answer, once)
    assert.equal(at.inbox.hasAnswer('k'), false)
  })
})

describe('Inbox.ask', () => {
  it('presents a question at every door and resolves with the first answer', async () => {
    await using host = opened()
    const [one, other] = [recordingDoor(), recordingDoor()]
    host.inbox.addDoor(one.door)
    host.inbox.addDoor(other.door)
    const { question, settled } = await host.inbox.ask(about('k1'))
    assert.deepEqual([one.presented, other.presented], [[question], [question]])
    await host.inbox.answer(question.id, once, atTerminal)
    assert.deepEqual((await settled).state, 'answered')
    assert.deepEqual([one.withdrawn, other.withdrawn], [[`${question.id} terminal`], [`${question.id} terminal`]])
    await assert.rejects(host.inbox.answer(question.id, once, atTerminal), /it was answered by terminal/)
  })

  it('asks equal acts once', async () => {
    await using host = opened()
    const [one, same] = await Promise.all([host.inbox.ask(about('k1')), host.inbox.ask(about('k1'))])
    assert.equal(one.question.id, same.question.id)
    assert.equal(host.inbox.open.length, 1)
  })

  it('two answers at the same moment: the first wins, the other is refused', async () => {
    await using host = opened()
    const { question } = await host.inbox.ask(about('k1'))
    const first = host.inbox.answer(question.id, once, atTerminal)
    await assert.rejects(host.inbox.answer(question.id, { choice: 'refuse', by: 'console' }, atTerminal))
    await first
    const settlement = host.inbox.settlementOf(question.id)
    assert.equal(settlement?.state === 'answered' && settlement.answer.by, 'terminal')
  })

  it('a door that fails does not close the others', async () => {
    await using host = opened()
    const { door, presented } = recordingDoor()
    const broken = { ...door, present: () => assert.fail('broken') }
    host.inbox.addDoor(broken)
    host.inbox.addDoor(door)
    await host.inbox.ask(about('k1'))
    assert.equal(presented.length, 1)
  })

  it('a question that a rule wants answered here cannot be answered by a caller', async () => {
    await using host = opened()
    const { question } = await host.inbox.ask(about('k1', { by: 'local' }))
    await assert.rejects(host.inbox.answer(question.id, once, { isLocal: false }), /answered at this machine/)
    await host.inbox.answer(question.id, once, atTerminal)
  })

  it('refuses more questions than may wait, of one principal and altogether', async () => {
    await using host = opened({ maxOpen: 3, maxOpenPerPrincipal: 2 })
    await host.inbox.ask(about('k1'))
    await host.inbox.ask(about('k2'))
    await assert.rejects(host.inbox.ask(about('k3')), /2 questions of "claude-code" wait/)
    await host.inbox.ask(about('k4', { principalId: 'p2', principal: 'cursor' }))
    await assert.rejects(host.inbox.ask(about('k5', { principalId: 'p3' })), /3 questions wait/)
  })

  it('expires without an answer', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() })
    await using host = opened()
    const { question, settled } = await host.inbox.ask(about('k1', { openMs: 1_000 }))
    t.mock.timers.tick(999)
    assert.deepEqual(host.inbox.open, [question])
    t.mock.timers.tick(1)
    await assert.rejects(host.inbox.answer(question.id, once, atTerminal), /it expired/)
    assert.equal((await settled).state, 'expired')
  })

  it('survives the process: open questions are asked again, answers are kept', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'state.sqlite')
    let id = ''
    {
      await using host = opened({}, file)
      id = (await host.inbox.ask(about('k1'))).question.id
    }
    await using again = opened({}, file)
    assert.deepEqual(
      again.inbox.open.map((question) => question.id),
      [id],
    )
    const { door, presented } = recordingDoor()
    again.inbox.addDoor(door)
    assert.equal(presented.length, 1)
    await again.inbox.answer(id, once, atTerminal)
    assert.deepEqual((await again.inbox.take('k1'))?.answer, once)
    folder[Symbol.dispose]()
  })
})

it('withdrawAbandoned: questions that only an earlier process could use are withdrawn', async () => {
  await using host = opened()
  const kinds = [
    'call',
    'result',
    'form',
    'page',
    'prompt',
    'definition',
    'start',
    'client',
    'file',
    'programs',
    'sign-in',
  ] as const
  for (const kind of kinds) await host.inbox.ask(about(kind, { kind }))
  await withdrawAbandoned(host.inbox)
  assert.deepEqual(
    host.inbox.open.map(({ kind }) => kind),
    ['call', 'definition', 'start', 'client', 'file', 'programs'],
  )
})

describe('Inbox.take', () => {
  it('an approval is good once', async () => {
    await using host = opened()
    const { question } = await host.inbox.ask(about('k1'))
    assert.equal(await host.inbox.take('k1'), undefined)
    await host.inbox.answer(question.id, once, atTerminal)
    assert.deepEqual((await host.inbox.take('k1'))?.answer, once)
    assert.equal(await host.inbox.take('k1'), undefined)
  })

  it('an approval waits a limited time', async () => {
    await using host = opened({ approvalMs: 1_000 })
    const { question } = await host.inbox.ask(about('k1'))
    await host.inbox.answer(question.id, once, atTerminal)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 1_001 })
    try {
      assert.equal(await host.inbox.take('k1'), undefined)
    } finally {
      mock.timers.reset()
    }
  })
})

describe('approvalKey', () => {
  const call = {
    principalId: 'p1',
    project: '/work',
    server: 'files',
    command: 'c1',
    target: 'write',
    definition: 'd1',
    arguments: { path: '/x', size: 1 },
    policyVersion: 'v1',
  }

  it('is the same for the same call, whatever the order of its arguments', () => {
    assert.equal(approvalKey({ ...call, arguments: { size: 1, path: '/x' } }), approvalKey(call))
  })

  for (const [field, value] of Object.entries({
    principalId: 'p2',
    project: '/other',
    server: 'mail',
    command: 'c2',
    target: 'delete',
    definition: 'd2',
    arguments: { path: '/y', size: 1 },
    policyVersion: 'v2',
  })) {
    it(`is another one when ${field} differs`, () => {
      assert.notEqual(approvalKey({ ...call, [field]: value }), approvalKey(call))
    })
  }
})

describe('Grants', () => {
  const scope = { principalId: 'p1', project: '/work', server: 'files', target: 'write', definition: 'd1' }

  it('hold for this principal, project, tool and definition, and for a while', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    assert.equal(grants.permits(scope), false)
    await grants.grant(scope, { holdsMs: 60_000 })
    assert.equal(grants.permits(scope), true)
    for (const other of [{ principalId: 'p2' }, { project: '/x' }, { target: 'delete' }, { definition: 'd2' }]) {
      assert.equal(grants.permits({ ...scope, ...other }), false, JSON.stringify(other))
    }
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_001 })
    try {
      assert.equal(grants.permits(scope), false)
    } finally {
      mock.timers.reset()
    }
  })

  it('slide with every use where asked to', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    const start = Date.now()
    await grants.grant(scope, { holdsMs: 1_000, sliding: true })
    mock.timers.enable({ apis: ['Date'], now: start })
    try {
      for (let step = 1; step <= 5; step++) {
        mock.timers.setTime(start + step * 800)
        assert.equal(grants.permits(scope), true)
      }
      mock.timers.setTime(start + 10_000)
      assert.equal(grants.permits(scope), false)
    } finally {
      mock.timers.reset()
    }
  })

  it('a clock that jumps back does not make one last longer than it should', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    await grants.grant(scope, { holdsMs: 60_000 })
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
    try {
      assert.equal(grants.permits(scope), false)
    } finally {
      mock.timers.reset()
    }
  })

  it('are taken back by server or principal', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    const another = { ...scope, principalId: 'p2' }
    for (const one of [scope, another]) await grants.grant(one)
    assert.equal(await grants.revoke({ server: 'mail' }), 0)
    assert.equal(await grants.revoke({ principalId: 'p1' }), 1)
    assert.deepEqual([grants.permits(scope), grants.permits(another)], [false, true])
    assert.equal(await grants.revoke(), 1)
    assert.equal(grants.permits(another), false)
  })

  it('that a caller answered do not count where a rule wants an answer at this machine', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    await grants.grant(scope)
    assert.deepEqual([grants.permits(scope), grants.permits(scope, { localOnly: true })], [true, false])
    await grants.grant(scope, { isLocal: true })
    assert.equal(grants.permits(scope, { localOnly: true }), true)
  })

  it('of one answer cover named tools and clients, are listed and revoked together, and end with the command', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    const wide = [
      scope,
      { ...scope, principalId: 'p2', breadth: breadths.client },
      { ...scope, target: 'move', breadth: breadths.tool },
    ]
    let told = 0
    const stop = grants.onGranted(() => {
      told += 1
    })
    await grants.grant(wide, { choice: 'project', question: 'q1', command: 'c1' })
    stop()
    await grants.grant({ ...scope, server: 'mail' })
    assert.equal(told, 1)
    const running = (command: string) => ({ command: () => command })
    for (const one of wide) assert.deepEqual(grants.find(one, running('c1')), { question: 'q1' })
    assert.equal(grants.permits(scope, running('c2')), false)
    const { asked, client } = breadths
    const within = (maxBreadth: 0 | 1) => wide.map((one) => grants.permits(one, { ...running('c1'), maxBreadth }))
    assert.deepEqual(
      [within(asked), within(client)],
      [
        [true, false, false],
        [true, true, false],
      ],
    )
    const [mail, files] = grants.all()
    assert.deepEqual([mail?.server, mail?.choice, mail?.question], ['mail', 'session', undefined])
    assert.deepEqual([files?.tools, files?.principalIds, files?.choice], [['write', 'move'], ['p1', 'p2'], 'project'])
    assert.equal(await grants.revoke({ id: files?.id ?? '' }), 3)
    assert.deepEqual(grants.all(), [mail])
  })

  it('that hold for days are written again once a day, and all of one answer slide together', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    const dayMs = 24 * 3_600_000
    const other = { ...scope, target: 'move' }
    const start = Date.now()
    mock.timers.enable({ apis: ['Date'], now: start })
    try {
      await grants.grant([scope, other], { holdsMs: 30 * dayMs, sliding: true })
      const until = () => grants.all()[0]?.until
      mock.timers.setTime(start + dayMs - 1_000)
      assert.deepEqual([grants.permits(scope), until()], [true, start + 30 * dayMs])
      mock.timers.setTime(start + 29 * dayMs)
      assert.deepEqual([grants.permits(scope), until()], [true, start + 59 * dayMs])
      mock.timers.setTime(start + 40 * dayMs)
      assert.equal(grants.permits(other), true, 'the use of another tool counts')
    } finally {
      mock.timers.reset()
    }
  })

  it('are kept up to a limit; beyond it the oldest end', async () => {
    await using host = opened()
    const grants = new Grants(host.store)
    await grants.grant({ ...scope, target: 'oldest' })
    const many = Array.from({ length: maxGrantedScopes }, (_, at) => ({ ...scope, target: `tool ${at}` }))
    await grants.grant(many)
    assert.equal(grants.permits({ ...scope, target: 'oldest' }), false)
    assert.equal(grants.permits({ ...scope, target: 'tool 0' }), true)
  })
})

describe('an answer that covers more', () => {
  const covers = { clients: [{ id: 'p2', name: 'cursor' }] }
  const tools = [{ name: 'move', definition: 'd' }]
  const writes = { class: 'writes', arguments: {} }
  const rows: readonly (readonly [
    why: RegExp,
    question: Partial<NewQuestion>,
    given: Partial<Answer>,
    isLocal?: boolean,
  ])[] = [
    [/only when it is given at this machine/, {}, { covers }, false],
    [/only when it is given at this machine/, { project: '/shop' }, { choice: 'project' }, false],
    [/not about a call/, { kind: 'prompt' }, { covers }],
    [/what destroys asks every time/, { detail: { class: 'destroys' } }, { covers }],
    [/what destroys asks every time/, { detail: { class: 'destroys' }, project: '/shop' }, { choice: 'project' }],
    [/"once" is for this call alone/, {}, { choice: 'once', covers }],
    [/works in no project/, {}, { choice: 'project' }],
    [/not one of those that write/, { detail: { class: 'unknown' } }, { covers: { tools } }],
    [/would cover tools that come later/, {}, { choice: 'always', covers: { tools } }],
  ]
  for (const [why, question, given, isLocal = true] of rows) {
    it(`is refused: ${why.source}, ${JSON.stringify({ ...question, ...given })}`, async () => {
      await using host = opened()
      const asked = await host.inbox.ask(about('k', { detail: writes, ...question }))
      const answer: Answer = { choice: 'session', by: 'terminal', ...given }
      await assert.rejects(host.inbox.answer(asked.question.id, answer, { isLocal }), why)
      assert.equal(host.inbox.open.length, 1, 'the question waits on')
    })
  }
})

describe('Inbox, callers', () => {
  it('tells doors when the last caller of a question is gone, and when one is back', async () => {
    await using at = opened()
    const changes: boolean[] = []
    const change = ({ id }: Question) => changes.push(at.inbox.isAbandoned(id))
    at.inbox.addDoor({ ...recordingDoor().door, change })
    const { question } = await at.inbox.ask(about('k'))
    for (const state of ['waits', 'gone', 'gone', 'waits', 'gone'] as const) at.inbox.noteCaller(question.id, state)
    assert.deepEqual(changes, [true, false, true])
    await at.inbox.answer(question.id, once, atTerminal)
    assert.equal(at.inbox.isAbandoned(question.id), false)
  })

  it('has no callers for questions about calls of an earlier process', async () => {
    await using at = opened()
    const { question } = await at.inbox.ask(about('k'))
    assert.equal(at.inbox.isAbandoned(question.id), false)
    const next = new Inbox(at.store)
    assert.equal(next.isAbandoned(question.id), true)
    next.close()
  })
})
