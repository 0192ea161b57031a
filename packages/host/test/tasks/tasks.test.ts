import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Client, type ClientOptions, connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { Host } from '../../src/assembly/host.ts'
import type { HostOptions } from '../../src/assembly/host-options.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const revisions = ['2025-11-25', '2026-07-28']
const allow = [parseRule('allow', 'studio:*', { layer: 'user', file: 'trunkline.json', line: 1 })]

function studioSpec(revision: string): ServerSpec {
  const file = programFile(new URL('../programs/studio.ts', import.meta.url))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const launch = { kind: 'program', command: process.execPath, args: [file, revision], cwd: '/', env } as const
  return { name: 'studio', launch }
}

const studioHost = (revision: string, options: Partial<HostOptions> = {}) =>
  runningHost({ servers: [studioSpec(revision)], rules: allow, tasks: { pollMs: 50 }, ...options })

/** A caller of one revision that takes tasks. */
const taskClient = (host: Host, token: string, revision: string, elicitation?: ClientOptions['elicitation']) =>
  connect(new URL(host.url), {
    revisions: [revision],
    extensions: [tasks()],
    http: { headers: { authorization: `Bearer ${token}` } },
    ...(elicitation && { elicitation }),
  })

async function taskCaller(host: Host, revision: string, name = 'editor', elicitation?: ClientOptions['elicitation']) {
  const { token } = await host.principals.make({ name })
  return taskClient(host, token, revision, elicitation)
}

/** Resolves when the server says that something hangs there, or does not any more. */
async function until(mcp: Pick<Client, 'tools'>, what: 'begun' | 'ended'): Promise<void> {
  for (;;) {
    const seen = JSON.parse(textOf(await mcp.tools.call('studio__seen', {})))
    if (seen[what].length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const pairs = revisions.flatMap((before) => revisions.map((behind) => [before, behind] as const))

for (const [before, behind] of pairs) {
  describe(`a task of a ${before} caller, in front of a ${behind} server`, () => {
    it('has an id, a state and a result of the gateway, which no id of the server leaves', async () => {
      await using running = await studioHost(behind)
      await using mcp = await taskCaller(running.host, before)
      const task = await mcp.tools.start('studio__render', { title: 'Metropolis' })
      assert.equal(textOf(await task.result()), 'rendered Metropolis')
      const seen = JSON.parse(textOf(await mcp.tools.call('studio__seen', {})))
      assert.equal(seen.ids.length, 1)
      assert.ok(task.id !== undefined && !seen.ids.includes(task.id))
      const state = await mcp.tasks.get(task.id)
      assert.equal(state.status, 'completed')
      assert.ok(!JSON.stringify(await task.result()).includes(seen.ids[0]))
    })

    it('passes the questions of its server on to its caller', async () => {
      await using running = await studioHost(behind)
      const asked: string[] = []
      await using mcp = await taskCaller(running.host, before, 'editor', ({ message }) => {
        asked.push(message)
        return { action: 'accept', content: { name: 'Ann' } }
      })
      const task = await mcp.tools.start('studio__name', {})
      assert.equal(textOf(await task.result()), 'named Ann')
      assert.deepEqual(asked, ['[server studio] Which name?'])
    })

    it('is cancelled at the server with it', async () => {
      await using running = await studioHost(behind)
      await using mcp = await taskCaller(running.host, before)
      const task = await mcp.tools.start('studio__hang', {})
      await until(mcp, 'begun')
      assert.equal((await mcp.tasks.get(task.id ?? '')).status, 'working')
      await task.cancel()
      await assert.rejects(task.result())
      await until(mcp, 'ended')
    })
  })
}

for (const revision of revisions) {
  describe(`tasks of ${revision} callers`, () => {
    it('belong to the principal: no other lists, reads or cancels them', async () => {
      await using running = await studioHost(revision)
      await using ann = await taskCaller(running.host, revision, 'ann')
      await using bob = await taskCaller(running.host, revision, 'bob')
      const task = await ann.tools.start('studio__hang', {})
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
      await using running = await studioHost(revision, { tasks: { limits: { maxTasksPerCaller: 2 } } })
      await using ann = await taskCaller(running.host, revision, 'ann')
      await using bob = await taskCaller(running.host, revision, 'bob')
      const first = await ann.tools.start('studio__hang', {})
      await first.cancel()
      await using _second = await ann.tools.start('studio__hang', {})
      const third = ann.tools.start('studio__render', { title: 'M' }).then((task) => task.result())
      if (revision === '2025-11-25') await assert.rejects(third, /2 tasks of this caller are stored already/)
      else assert.equal(textOf(await third), 'rendered M')
      assert.equal(running.host.store.database.prepare('SELECT id FROM task').all().length, 2)
      await using other = await bob.tools.start('studio__hang', {})
      assert.equal(other.state.status, 'working')
    })

    it('are gone when their time is over, and so is the work for them', async () => {
      await using running = await studioHost(revision, { tasks: { limits: { maxTtlMs: 300 }, pollMs: 50 } })
      await using ann = await taskCaller(running.host, revision)
      const task = await ann.tools.start('studio__hang', {}, { ttlMs: 3_600_000 })
      assert.equal(task.state.ttlMs, 300)
      await assert.rejects(task.result())
      await assert.rejects(ann.tasks.get(task.id ?? ''), /no such task/)
      await until(ann, 'ended')
    })

    it('a question about such a call waits in its task, for longer than a call is held', async () => {
      await using running = await runningHost({
        servers: [programSpec('one')],
        ask: { holdMs: 1 },
        tasks: { pollMs: 50 },
      })
      await using ann = await taskCaller(running.host, revision)
      const task = await ann.tools.start('one__write', { text: 'please' })
      let [question] = running.host.inbox.open
      while (!question) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        question = running.host.inbox.open[0]
      }
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
      await first.accept('studio')
      const { token } = await first.principals.make({ name: 'editor' })
      const before = await taskClient(first, token, revision)
      const ended = await before.tools.start('studio__render', { title: 'M' })
      await ended.result()
      const ran = await before.tools.start('studio__hang', {}, { onDispose: 'detach' })
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
    await using running = await studioHost('2025-11-25')
    await using mcp = await taskCaller(running.host, '2025-11-25')
    const supports = (await mcp.tools.list().all()).map(({ execution }) => execution?.taskSupport)
    assert.deepEqual([...new Set(supports)], ['optional'])
  })

  for (const [before, behind] of pairs) {
    it(`a ${before} caller without tasks calls a tool that only runs as one at a ${behind} server`, async () => {
      await using running = await studioHost(behind)
      await using mcp = await running.dial('', { revisions: [before] })
      assert.equal(textOf(await mcp.tools.call('studio__render', { title: 'M' })), 'rendered M')
      assert.deepEqual(running.host.store.database.prepare('SELECT id FROM task').all(), [])
    })
  }

  it('a call that is over at once is no task, also for callers that could take one', async () => {
    await using running = await studioHost('2026-07-28')
    await using mcp = await taskCaller(running.host, '2026-07-28')
    assert.equal(textOf(await mcp.tools.call('studio__echo', { text: 'quick' })), 'quick')
    assert.deepEqual(running.host.store.database.prepare('SELECT id FROM task').all(), [])
  })

  it('a tool that does not exist is an error, and no task', async () => {
    await using running = await studioHost('2025-11-25')
    await using mcp = await taskCaller(running.host, '2025-11-25')
    await assert.rejects(mcp.tools.start('studio__none', {}), /no such tool/)
    assert.deepEqual(running.host.store.database.prepare('SELECT id FROM task').all(), [])
  })
})
