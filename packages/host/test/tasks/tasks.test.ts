import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { Host } from '../../src/assembly/host.ts'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const revisions = ['2025-11-25', '2026-07-28']
const allow = [parseRule('allow', 'studio-*:*', { layer: 'user', file: 'trunkline.json', line: 1 })]

/** The name of the server of a revision. */
const studio = (revision: string) => `studio-${revision}`

function studioSpec(revision: string): ServerSpec {
  const file = programFile(new URL('../programs/studio.ts', import.meta.url))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const launch = { kind: 'program', command: process.execPath, args: [file, revision], cwd: '/', env } as const
  return { name: studio(revision), launch }
}

/** A host in front of a server of each revision. */
const studioHost = (options: Partial<HostOptions> = {}) =>
  runningHost({ servers: revisions.map(studioSpec), rules: allow, tasks: { pollMs: 50 }, ...options })

/** The host of all tests that need no other; their callers have names of their own. */
let running: RunningHost
/** Hosts with limits, which are shared by callers of both revisions. */
let limited: RunningHost
let shortLived: RunningHost
before(async () => {
  limited = await studioHost({ tasks: { limits: { maxTasksPerCaller: 2 } } })
  shortLived = await studioHost({ tasks: { limits: { maxTtlMs: 300 }, pollMs: 50 } })
  running = await studioHost({ servers: [...revisions.map(studioSpec), programSpec('one')], ask: { holdMs: 1 } })
})
after(() => Promise.all([running, limited, shortLived].map((one) => one[Symbol.asyncDispose]())))

/** Ids of the tasks that a host has stored. */
const storedIn = ({ store }: Host) => store.database.prepare('SELECT id FROM task').all()

/** A caller of one revision that takes tasks. */
const taskClient = (host: Host, token: string, revision: string, elicitation?: ClientOptions['elicitation']) =>
  connect(new URL(host.url), {
    revisions: [revision],
    extensions: [tasks()],
    http: { headers: { authorization: `Bearer ${token}` } },
    ...(elicitation && { elicitation }),
  })

async function taskCaller(host: Host, revision: string, name: string, elicitation?: ClientOptions['elicitation']) {
  const { token } = await host.principals.make({ name })
  return taskClient(host, token, revision, elicitation)
}

interface Seen {
  readonly ids: readonly string[]
  readonly begun: readonly string[]
  readonly ended: readonly string[]
}

/** The ids that a server gave, and the callers whose work began and ended there. */
async function seenAt(mcp: Pick<Client, 'tools'>, server: string): Promise<Seen> {
  return JSON.parse(textOf(await mcp.tools.call(`${server}__seen`, {})))
}

const pairs = revisions.flatMap((before) => revisions.map((behind) => [before, behind] as const))

for (const [before, behind] of pairs) {
  describe(`a task of a ${before} caller, in front of a ${behind} server`, () => {
    const server = studio(behind)
    const name = `${before} before ${behind}`.replaceAll(' ', '-')

    it('has an id, a state and a result of the gateway, which no id of the server leaves', async () => {
      await using mcp = await taskCaller(running.host, before, `${name}-renders`)
      const { ids: earlier } = await seenAt(mcp, server)
      const task = await mcp.tools.start(`${server}__render`, { title: 'Metropolis' })
      assert.equal(textOf(await task.result()), 'rendered Metropolis')
      const ids = (await seenAt(mcp, server)).ids.slice(earlier.length)
      assert.equal(ids.length, 1)
      assert.ok(task.id !== undefined && !ids.includes(task.id))
      const state = await mcp.tasks.get(task.id)
      assert.equal(state.status, 'completed')
      assert.ok(!JSON.stringify(await task.result()).includes(ids[0] ?? assert.fail()))
    })

    it('passes the questions of its server on to its caller', async () => {
      const asked: string[] = []
      await using mcp = await taskCaller(running.host, before, `${name}-asks`, ({ message }) => {
        asked.push(message)
        return { action: 'accept', content: { name: 'Ann' } }
      })
      const task = await mcp.tools.start(`${server}__name`, {})
      assert.equal(textOf(await task.result()), 'named Ann')
      assert.deepEqual(asked, [`[server ${server}] Which name?`])
    })

    it('is cancelled at the server with it', async () => {
      await using mcp = await taskCaller(running.host, before, `${name}-cancels`)
      const task = await mcp.tools.start(`${server}__hang`, { who: name })
      await until(async () => (await seenAt(mcp, server)).begun.includes(name))
      assert.ok(!(await seenAt(mcp, server)).ended.includes(name))
      assert.equal((await mcp.tasks.get(task.id ?? '')).status, 'working')
      await task.cancel()
      await assert.rejects(task.result())
      await until(async () => (await seenAt(mcp, server)).ended.includes(name))
    })
  })
}

for (const revision of revisions) {
  describe(`tasks of ${revision} callers`, () => {
    const server = studio(revision)

    it('belong to the principal: no other lists, reads or cancels them', async () => {
      await using ann = await taskCaller(running.host, revision, `ann-${revision}`)
      await using bob = await taskCaller(running.host, revision, `bob-${revision}`)
      const task = await ann.tools.start(`${server}__hang`, { who: 'ann' })
      const id = task.id ?? ''
      await assert.rejects(bob.tasks.get(id), /no such task/)
      await assert.rejects(bob.tasks.attach(id), /no such task/)
      if (revision === '2025-11-25') {
        assert.deepEqual(
          (await ann.tasks.list().all()).map((one) => one.id),
          [id],
        )
        assert.deepEqual(await bob.tasks.list().all(), [])
      }
      assert.equal((await ann.tasks.get(id)).status, 'working')
      await task.cancel()
    })

    it('are as many as the limit says, ended ones included; the next call is none, or refused', async () => {
      const { host } = limited
      await using ann = await taskCaller(host, revision, `ann-${revision}`)
      await using bob = await taskCaller(host, revision, `bob-${revision}`)
      const earlier = storedIn(host).length
      const first = await ann.tools.start(`${server}__hang`, { who: 'ann' })
      await first.cancel()
      await using _second = await ann.tools.start(`${server}__hang`, { who: 'ann' })
      const third = ann.tools.start(`${server}__render`, { title: 'M' }).then((task) => task.result())
      if (revision === '2025-11-25') await assert.rejects(third, /2 tasks of this caller are stored already/)
      else assert.equal(textOf(await third), 'rendered M')
      assert.equal(storedIn(host).length - earlier, 2)
      await using other = await bob.tools.start(`${server}__hang`, { who: 'bob' })
      assert.equal(other.state.status, 'working')
    })

    it('are gone when their time is over, and so is the work for them', async () => {
      await using ann = await taskCaller(shortLived.host, revision, `ann-${revision}`)
      const task = await ann.tools.start(`${server}__hang`, { who: 'ann' }, { ttlMs: 3_600_000 })
      assert.equal(task.state.ttlMs, 300)
      await assert.rejects(task.result())
      await assert.rejects(ann.tasks.get(task.id ?? ''), /no such task/)
      await until(async () => (await seenAt(ann, server)).ended.includes('ann'))
    })

    it('a question about such a call waits in its task, for longer than a call is held', async () => {
      await using ann = await taskCaller(running.host, revision, `writer-${revision}`)
      const task = await ann.tools.start('one__write', { text: 'please' })
      await until(() => running.host.inbox.open.length > 0)
      const [question = assert.fail()] = running.host.inbox.open
      let { status, statusMessage } = await ann.tasks.get(task.id ?? '')
      while (statusMessage === undefined) ({ status, statusMessage } = await ann.tasks.get(task.id ?? ''))
      assert.equal(status, 'working')
      assert.equal(statusMessage, `Waits for a person's approval (question ${question.id})`)
      await running.host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
      assert.equal(textOf(await task.result()), 'please')
    })

    it('survive the host: ended ones are read again, running ones have failed and say why', async () => {
      using folder = temporaryFolder()
      const start = async () => {
        const host = new Host({ folder: folder.path, servers: [studioSpec(revision)], rules: allow })
        await host.start()
        return host
      }
      const first = await start()
      await first.accept(server)
      const { token } = await first.principals.make({ name: 'editor' })
      const before = await taskClient(first, token, revision)
      const ended = await before.tools.start(`${server}__render`, { title: 'M' })
      await ended.result()
      const ran = await before.tools.start(`${server}__hang`, { who: 'editor' }, { onDispose: 'detach' })
      await before.close()
      await first.close()
      await using host = await start()
      await using after = await taskClient(host, token, revision)
      assert.equal(textOf(await (await after.tasks.attach(ended.id ?? '')).result()), 'rendered M')
      const broken = await after.tasks.attach(ran.id ?? '')
      await assert.rejects(broken.result(), /the server stopped while the task was running/)
    })
  })
}

describe('tools in front of tasks', () => {
  it('every tool may run as a task for callers that have to be told, also one that must', async () => {
    await using mcp = await taskCaller(running.host, '2025-11-25', 'lists')
    const supports = (await mcp.tools.list().all()).map(({ execution }) => execution?.taskSupport)
    assert.deepEqual([...new Set(supports)], ['optional'])
  })

  for (const [before, behind] of pairs) {
    it(`a ${before} caller without tasks calls a tool that only runs as one at a ${behind} server`, async () => {
      const earlier = storedIn(running.host)
      await using mcp = await running.dial('', { name: `${before}-before-${behind}-calls`, revisions: [before] })
      assert.equal(textOf(await mcp.tools.call(`${studio(behind)}__render`, { title: 'M' })), 'rendered M')
      assert.deepEqual(storedIn(running.host), earlier)
    })
  }

  it('a call that is over at once is no task, also for callers that could take one', async () => {
    const earlier = storedIn(running.host)
    await using mcp = await taskCaller(running.host, '2026-07-28', 'echoes')
    assert.equal(textOf(await mcp.tools.call('studio-2026-07-28__echo', { text: 'quick' })), 'quick')
    assert.deepEqual(storedIn(running.host), earlier)
  })

  it('a tool that does not exist is an error, and no task', async () => {
    const earlier = storedIn(running.host)
    await using mcp = await taskCaller(running.host, '2025-11-25', 'errs')
    await assert.rejects(mcp.tools.start('studio-2025-11-25__none', {}), /no such tool/)
    assert.deepEqual(storedIn(running.host), earlier)
  })
})
