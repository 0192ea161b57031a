/** Answers that cover more than the call they were asked for: calls that run, and calls that still ask. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { chosenCoverage, coverageOf, shownCoverage } from '../../src/api/answer-coverage.ts'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import type { Answer, Question } from '../../src/inbox/question.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { textOf } from '../gateway/running-host.ts'
import { person, programEntry } from '../run/person.ts'

type Covers = 'writing-tools' | 'all-clients'

const ann = person()
const { args = [], ...entry } = programEntry('office') as { readonly args?: readonly string[] }
const officeWith = (more: number, ...words: string[]) => ({ ...entry, args: [...args, String(more), ...words] })
const settings = {
  mcpServers: { office: officeWith(0), full: officeWith(191), over: officeWith(192) },
  policy: { ask: ['office:create_row', { match: 'office:create_draft', principal: 'codex' }] },
}
ann.configure(settings)
const running = await ann.run({ ask: { holdMs: 60_000 } })
const { host } = running
const { inbox, grants, catalogue, principals } = host
for (const name of ['office', 'full', 'over']) await host.accept(name)
const other = join(ann.home, 'other')
mkdirSync(other)
const tokens = new Map<string, string>()
const open: Client[] = []
for (const name of ['cursor', 'codex']) tokens.set(name, (await principals.make({ name })).token)
const [cursor, codex, elsewhere] = [
  await dial('cursor', ann.project),
  await dial('codex', ann.project),
  await dial('cursor', other),
]

after(async () => {
  for (const client of open) await client.close()
  await running[Symbol.asyncDispose]()
  ann[Symbol.dispose]()
})

afterEach(async () => {
  for (const { id } of inbox.open) await inbox.withdraw(id, 'the test is over')
  await grants.revoke()
})

async function dial(name: string, project: string): Promise<Client> {
  const headers = { authorization: `Bearer ${tokens.get(name)}`, ...projectHeader(project) }
  const client = await connect(new URL(host.url), { http: { headers } })
  open.push(client)
  return client
}

let made = 0
const call = async (mcp: Client, tool: string, server = 'office') => {
  made += 1
  return textOf(await mcp.tools.call(`${server}__${tool}`, { id: String(made) }))
}

async function asked(count = 1): Promise<Question> {
  await until(() => inbox.open.length === count)
  return inbox.open.at(-1) ?? assert.fail()
}

/** The answer of a person who chose its coverage from the offered one. */
function answerTo(question: Question, choice: Answer['choice'], covers: readonly Covers[]): Answer {
  const { seen } = shownCoverage(coverageOf(question, host) ?? assert.fail())
  const chosen = chosenCoverage(question, { covers: [...covers], seen }, host)
  return { choice, by: 'terminal', ...(chosen && { covers: chosen }) }
}

/** Makes a call that asks, and answers it. */
async function allow(
  choice: Answer['choice'],
  covers: readonly Covers[] = [],
  tool = 'create_note',
): Promise<Question> {
  const calling = call(cursor, tool)
  const question = await asked()
  await inbox.answer(question.id, answerTo(question, choice, covers), { isLocal: true })
  assert.match(await calling, /^created/)
  return question
}

const runs = async (mcp: Client, tool: string) => assert.match(await call(mcp, tool), /^created/)

/** Expects that a call asks; the question is refused. */
async function asks(mcp: Client, tool: string): Promise<void> {
  const calling = call(mcp, tool)
  const question = await asked()
  assert.equal(question.target, tool)
  await inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
  assert.match(await calling, /refused/)
}

describe('an answer', () => {
  it('is for its tool, its client and its project where nothing else is chosen', async () => {
    await allow('session')
    await runs(cursor, 'create_note')
    await asks(cursor, 'create_file')
    await asks(codex, 'create_note')
    await asks(elsewhere, 'create_note')
  })

  it('for all writing tools of the server covers those of one client; tools that destroy still ask, and so do those that a rule asks about', async () => {
    await allow('session', ['writing-tools'])
    await runs(cursor, 'create_file')
    await asks(codex, 'create_file')
    await asks(cursor, 'delete_file')
    await asks(cursor, 'create_row')
  })

  it('for all clients covers its tool alone, and no rule that asks of another client', async () => {
    await allow('session', ['all-clients'])
    await runs(codex, 'create_note')
    await asks(codex, 'create_file')
    await allow('session', ['all-clients'], 'create_draft')
    await asks(codex, 'create_draft')
  })

  it('in this project holds there until it is revoked, for all that it covers', async () => {
    await allow('project', ['writing-tools', 'all-clients'])
    await runs(codex, 'create_label')
    await asks(elsewhere, 'create_note')
    const [grant = assert.fail(), ...more] = grants.all()
    assert.deepEqual([more.length, grant.project, grant.choice, grant.tools.length], [0, ann.project, 'project', 9])
    await grants.revoke({ id: grant.id })
    await asks(codex, 'create_label')
    await asks(cursor, 'create_note')
  })

  it('covers no client that comes later, also none under the name of an earlier one', async () => {
    await allow('session', ['writing-tools', 'all-clients'])
    tokens.set('late', (await principals.make({ name: 'late' })).token)
    await asks(await dial('late', ann.project), 'create_note')
    tokens.set('late', (await principals.make({ name: 'late' })).token)
    await allow('session', ['all-clients'], 'create_row')
    tokens.set('late', (await principals.make({ name: 'late' })).token)
    await asks(await dial('late', ann.project), 'create_row')
    await principals.revoke('late')
  })

  it('covers no tool that became another class, and none of another definition', async () => {
    await allow('session', ['writing-tools'])
    await catalogue.classify('office', 'create_event', 'unknown')
    await asks(cursor, 'create_event')
    await catalogue.classify('office', 'create_event', 'writes')
    await runs(cursor, 'create_event')
    const scope = { principalId: principals.byName('cursor')?.id ?? '', project: ann.project, server: 'office' }
    const { hash } = catalogue.find('office', 'tool', 'create_event') ?? assert.fail()
    const command = () => grantedCommand()
    assert.equal(grants.permits({ ...scope, target: 'create_event', definition: hash }, { command }), true)
    assert.equal(grants.permits({ ...scope, target: 'create_event', definition: 'changed' }, { command }), false)
    assert.equal(grants.permits({ ...scope, target: 'create_new', definition: hash }, { command }), false)
    assert.equal(
      grants.permits({ ...scope, target: 'create_event', definition: hash }, { command: () => 'other' }),
      false,
    )
  })

  it('in this project, or for more tools or clients, ends with the command of the server; one for a session stays', async () => {
    await allow('session', [], 'create_issue')
    await allow('session', ['all-clients'], 'create_draft')
    await allow('project', [], 'create_row')
    await allow('session', ['writing-tools'], 'create_note')
    for (const tool of ['create_issue', 'create_file', 'create_row', 'create_draft']) await runs(cursor, tool)
    await runOffice('changed')
    await runs(cursor, 'create_issue')
    for (const tool of ['create_note', 'create_file', 'create_row', 'create_draft']) await asks(cursor, tool)
    await runOffice()
  })

  it('is refused when a tool or a client came while the person looked', async () => {
    const calling = call(cursor, 'create_note')
    const question = await asked()
    const { seen } = shownCoverage(coverageOf(question, host) ?? assert.fail())
    await catalogue.classify('office', 'list_done', 'writes')
    const covers: Covers[] = ['writing-tools']
    assert.throws(() => chosenCoverage(question, { covers, seen }, host), /changed meanwhile; look at it again/)
    await catalogue.classify('office', 'list_done', 'reads')
    assert.throws(() => chosenCoverage(question, { covers, seen: undefined }, host), /changed meanwhile/)
    assert.equal(chosenCoverage(question, { covers, seen }, host)?.tools?.length, 9)
    await inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
    await calling
  })

  it('withdraws waiting questions that it covers, and their calls run', async () => {
    const calls = [call(cursor, 'create_note')]
    const question = await asked()
    calls.push(call(cursor, 'create_file'), call(codex, 'create_file'))
    await until(() => inbox.open.length === 3)
    const destroying = call(cursor, 'delete_file')
    await until(() => inbox.open.length === 4)
    await inbox.answer(question.id, answerTo(question, 'session', ['writing-tools', 'all-clients']), { isLocal: true })
    for (const text of await Promise.all(calls)) assert.match(text, /^created/)
    const left = await asked()
    assert.equal(left.target, 'delete_file')
    await inbox.answer(left.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
    assert.match(await destroying, /refused/)
  })

  it('is in the ledger with everything that it covers, and so is each call with the question that allowed it', async () => {
    const { id } = await allow('project', ['writing-tools', 'all-clients'])
    await runs(codex, 'create_label')
    const lines = queryLedger(host.store, { most: 20 }).map(({ line }) => line)
    const decided = lines.find(({ kind, question }) => kind === 'decided' && question === id)
    assert.equal(decided?.outcome, 'project')
    assert.match(decided?.why ?? '', /^covers .*create_label.* of "office", for cursor, codex, in .*shop$/)
    const ended = lines.find(({ kind, target }) => kind === 'ended' && target === 'create_label')
    assert.deepEqual([ended?.question, ended?.principal], [id, 'codex'])
  })
})

describe('one answer', () => {
  /** Coverage that the answer to a question of a server offers; the question is refused. */
  async function offeredBy(server: string) {
    const calling = call(cursor, 'create_note', server)
    const question = await asked()
    const { tools, clients } = coverageOf(question, host) ?? assert.fail()
    const choose = (covers: Covers) => {
      const { seen } = shownCoverage(coverageOf(question, host) ?? assert.fail())
      return chosenCoverage(question, { covers: [covers], seen }, host)
    }
    const chosen = { tools: tools && choose('writing-tools'), clients: clients && choose('all-clients') }
    if (!tools) assert.throws(() => choose('writing-tools'), /does not cover writing-tools/)
    if (!clients) assert.throws(() => choose('all-clients'), /does not cover all-clients/)
    await inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
    await calling
    return { tools: chosen.tools?.tools?.length, clients: chosen.clients?.clients?.length }
  }

  it('covers 200 writing tools; a server with more of them is asked about tool by tool', async () => {
    assert.deepEqual(await offeredBy('full'), { tools: 200, clients: 2 })
    assert.deepEqual(await offeredBy('over'), { tools: undefined, clients: 2 })
  })

  it('covers 50 clients; a person with more of them is asked about each', async () => {
    const more = Array.from({ length: 49 }, (_, index) => `client-${index}`)
    for (const name of more.slice(1)) await principals.make({ name })
    assert.deepEqual(await offeredBy('office'), { tools: 9, clients: 50 })
    await principals.make({ name: more[0] ?? '' })
    assert.deepEqual(await offeredBy('office'), { tools: 9, clients: undefined })
    for (const name of more) await principals.revoke(name)
  })
})

/** Changes the words at the end of the server's command, and accepts it. */
async function runOffice(...words: string[]): Promise<void> {
  const { mcpServers } = settings
  ann.configure({ ...settings, mcpServers: { ...mcpServers, office: officeWith(0, ...words) } })
  const wanted = officeWith(0, ...words).args.join(' ')
  const launchOf = () => host.specs.find(({ name }) => name === 'office')?.launch
  await until(() => {
    const launch = launchOf()
    return launch?.kind === 'program' && launch.args.join(' ') === wanted
  })
  await host.accept('office')
  for (const { id } of inbox.open) await inbox.withdraw(id, 'the server is accepted')
}

/** Hash of the server's program, as the newest grant is bound to it. */
function grantedCommand(): string {
  return String(host.store.database.prepare('SELECT command FROM inbox_grant ORDER BY id DESC').get()?.command)
}
