import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../../tools/lib/until.ts'
import { type ApiClient, apiClient } from '../../src/api/client.ts'
import type { HostEvent } from '../../src/api/events.ts'
import { FollowedTasks } from '../../src/api/followed-tasks.ts'
import { ResourceWatches } from '../../src/api/resource-watches.ts'
import type { RouteContext } from '../../src/api/route.ts'
import type { RouteServices } from '../../src/api/services.ts'
import { taskRoutes } from '../../src/api/task-routes.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { answer, type Person, person, programEntry, questionOf } from '../run/person.ts'

const context = { signal: new AbortController().signal, isPage: true } as RouteContext
const file = `{
  // what runs
  "mcpServers": SERVERS,
  "policy": {
    // nobody crashes it
    "deny": ["one:crash"]
  }
}
`

describe('work of a page', () => {
  let ann: Person
  let running: RunningHost
  let page: ApiClient
  const events: HostEvent[] = []
  before(async () => {
    ann = person()
    const shelf = programEntry('shelf') as { readonly args: readonly string[] }
    const servers = { one: programEntry(), shelf: { ...shelf, args: [...shelf.args, 'shelf'] } }
    ann.configure(file.replace('SERVERS', JSON.stringify(servers)))
    running = await ann.run({ ask: { holdMs: 60_000 } })
    for (const server of ['one', 'shelf']) await running.host.accept(server)
    const { url } = JSON.parse(readFileSync(running.runningFile, 'utf8')) as { url: string }
    const token = (await running.api.pages.trade(running.api.pages.makeCode().code)) ?? ''
    page = apiClient({ url, token })
    const { tell } = running.api.events
    running.api.events.tell = (event) => {
      events.push(event)
      tell.call(running.api.events, event)
    }
  })
  after(async () => {
    await running[Symbol.asyncDispose]()
    ann[Symbol.dispose]()
  })

  const happened = (test: (event: HostEvent) => boolean) => until(() => events.some(test), `an event: ${test}`)
  const ended = async (server: string, task: string) => {
    for (;;) {
      const state = await page.call('task', { server, task })
      if (state.status !== 'working' && state.status !== 'input_required') return state
      await wait(20)
    }
  }

  it('a tool runs as a task that any page can ask for, and its changes are events', async () => {
    const input = { server: 'one', tool: 'wait', run: 'a', arguments: { ms: 300 } }
    const asked = questionOf(running, 'call')
    const { task = '', status } = await page.call('startTask', input)
    assert.equal(status, 'working')
    assert.ok(task !== '')
    await answer(running, await asked, 'session')
    const { result } = await ended('one', task)
    assert.deepEqual(result?.content, [{ type: 'text', text: 'done' }])
    await happened((event) => event.event === 'task' && event.task === task && event.status === 'completed')
  })

  it('a task is cancelled, and an unknown one is not found', async () => {
    const input = { server: 'one', tool: 'wait', run: 'b', arguments: { ms: 600_000 } }
    const { task = '' } = await page.call('startTask', input)
    assert.equal((await page.call('cancelTask', { server: 'one', task })).status, 'cancelled')
    await assert.rejects(page.call('task', { server: 'one', task: 'none' }), /There is no task "none"/)
  })

  it('tasks tell of their changes up to a limit; of one more a page hears when it asks', async () => {
    const { host } = running
    const told = new Map<string, string>()
    const onEvent = (event: HostEvent) => event.event === 'task' && told.set(event.task, event.status)
    const { startTask, cancelTask } = taskRoutes
    const services = { host, tell: onEvent, tasks: new FollowedTasks(onEvent, 1) } as unknown as RouteServices
    const input = { server: 'one', tool: 'wait', run: 'd', arguments: { ms: 600_000 } }
    const start = async () => (await startTask.handle(input, services, context)).task ?? assert.fail()
    const [followed, other] = [await start(), await start()]
    for (const task of [other, followed]) await cancelTask.handle({ server: 'one', task }, services, context)
    await until(() => told.get(followed) === 'cancelled')
    assert.deepEqual([...told.keys()], [followed])
    const next = await start()
    await cancelTask.handle({ server: 'one', task: next }, services, context)
    await until(() => told.get(next) === 'cancelled')
  })

  it('a resource that a page shows tells when it changes, for as long as a page shows it', async () => {
    const { until: watchedUntil } = await page.call('watchResource', { server: 'shelf', uri: 'book:1' })
    assert.ok(watchedUntil > Date.now())
    const touched = page.call('callTool', { server: 'shelf', tool: 'touch', run: 'c', arguments: { uri: 'book:1' } })
    await answer(running, await questionOf(running, 'call'), 'once')
    await touched
    await happened((event) => event.event === 'resource' && event.uri === 'book:1')

    const clientOf = (server: string) => running.host.clientOf(server, 'console')
    const watches = new ResourceWatches({ clientOf, onChange() {}, leaseMs: 20 })
    await watches.watch('shelf', 'book:2')
    await until(() => watches.size === 0)
    const many = new ResourceWatches({ clientOf, onChange() {}, leaseMs: 600_000 })
    for (let number = 0; number < 100; number += 1) await many.watch('shelf', `page:${number}`)
    await many.watch('shelf', 'page:1')
    await assert.rejects(many.watch('shelf', 'page:100'), /100 resources are watched already/)
  })

  it('the policy is written as it was typed, and nothing else of the file changes', async () => {
    const { text, digest } = await page.call('policyFile')
    const better = text.replace('"one:crash"', '"one:crash", "one:grow" /* it grows */')
    const { problems } = await page.call('dryRunPolicy', { text: text.replace('one:crash', 'one') })
    assert.deepEqual(
      problems.map(({ line }) => line),
      [6],
    )
    const save = (changed: string, of = digest) => page.call('savePolicyFile', { text: changed, digest: of })
    await assert.rejects(save(text.replace('one:crash', 'one')), /Cannot save: .*:6: /)
    await assert.rejects(save(`${better}}`), /Cannot save/)
    await assert.rejects(save(better, 'another'), /was changed meanwhile/)
    await assert.rejects(save(text.replace('upstream', 'downstream')), /only "policy" can be changed here/)
    await page.call('changeEntry', { server: 'one', tool: 'crash', class: 'destroys' })
    const wide = text.replace('"deny": [', '"allow": ["one:crash"], "deny": [')
    await assert.rejects(save(wide), /write a condition/)
    await save(better)
    assert.equal(readFileSync(ann.places.userFile, 'utf8'), better)
    const { rules } = await page.call('policy')
    assert.deepEqual(
      rules.map((rule) => rule.text),
      ['one:crash', 'one:grow'],
    )
  })
})
