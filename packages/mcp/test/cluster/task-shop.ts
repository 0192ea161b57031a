/** A server whose one tool runs as a task, in several processes, for tests. */
import assert from 'node:assert/strict'
import { type ConnectOptions, type Context, connect, server } from '@trunkline/mcp'
import type { ClusterStores, FetchHandler } from '@trunkline/mcp/http'
import { type TaskContext, tasks } from '@trunkline/mcp/tasks'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'

/** A server with one tool, `work`, which runs as a task that may be run again; `at` is the number of its process. */
export function shop(work: (ctx: Context & TaskContext, at: number) => unknown, { resumable = true } = {}) {
  return (at: number) =>
    server({ ...quiet, name: 'shop', extensions: [tasks({ pollMs: 20 })] }).tool(
      'work',
      { task: 'required', resumable },
      async (_, ctx) => String(await work(ctx, at)),
    )
}

export type Shop = ReturnType<ReturnType<typeof shop>>

interface Handlers {
  at(process: number): FetchHandler
}

/** A client whose requests all go to one process, or each to another one of three. */
export function clientAt(all: Handlers, at: number | 'each', options: ConnectOptions = {}) {
  let next = 0
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    all.at(at === 'each' ? next++ % 3 : at)(new Request(url, init))
  return connect('http://localhost/mcp', { extensions: [tasks()], ...options, http: { fetch } })
}

/** The text of a tool's result. */
export function textOf({ content }: { readonly content?: unknown }): unknown {
  return (content as readonly { readonly text?: unknown }[] | undefined)?.[0]?.text
}

/** A step of a store: its name, and what it was given. */
export type Around = (method: string, given: readonly unknown[], step: () => unknown) => unknown

/** Stores whose steps about tasks go through a function. */
export function aroundTasks(stores: ClusterStores, around: Around): ClusterStores {
  const tasksThrough = new Proxy(stores.tasks ?? assert.fail(), {
    get(target, method) {
      const member: unknown = Reflect.get(target, method)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) =>
        around(String(method), given, () => Reflect.apply(member, target, given) as unknown)
    },
  })
  return { ...stores, tasks: tasksThrough }
}

/** Stores whose tasks answer nothing to a process while it is stopped; what it sends meanwhile arrives afterwards. */
export function stoppable() {
  let stopped: ReturnType<typeof gate<void>> | undefined
  const called: string[] = []
  return {
    called,
    stop: () => {
      stopped ??= gate()
    },
    goOn: () => {
      stopped?.open()
      stopped = undefined
    },
    view: (stores: ClusterStores): ClusterStores =>
      aroundTasks(stores, async (method, _, step) => {
        await stopped?.promise
        called.push(method)
        return step()
      }),
  }
}
