import type { ClientHost } from '../../../client/extension.ts'
import type { TaskClientRules } from '../../../dialects/tasks/client-rules.ts'
import type { TaskState } from '../../../model/task.ts'
import type { Fields } from '../../../wire/messages.ts'
import { isOutage } from './retry-while-unreachable.ts'

/** Milliseconds in which new tasks are collected for one listen request. */
const gatherMs = 20

/** Receives the updates of a task. */
export interface TaskFollower {
  told(state: TaskState): void
  /** Nothing more will be told for now, so it is time to ask. */
  lost(): void
}

/** Listens for the notifications of all followed tasks on one stream. */
export class TaskFeed {
  readonly #host: ClientHost
  readonly #rules: TaskClientRules
  readonly #followers = new Map<string, Set<TaskFollower>>()
  #heard: ReadonlySet<string> = new Set()
  #stream: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  #isLost = false

  constructor(host: ClientHost, rules: TaskClientRules) {
    this.#host = host
    this.#rules = rules
  }

  /** True if the server reports on a task. */
  hears(id: string): boolean {
    return this.#heard.has(id)
  }

  /** Follows a task until the returned function is called. */
  follow(id: string, follower: TaskFollower): () => void {
    const followers = this.#followers.get(id) ?? new Set()
    this.#followers.set(id, followers.add(follower))
    if (followers.size === 1) this.#renewSoon()
    return () => {
      followers.delete(follower)
      if (followers.size > 0) return
      this.#followers.delete(id)
      // an unused stream is closed; one with fewer tasks is not worth replacing
      if (this.#followers.size === 0) this.#end()
    }
  }

  /** Handles a notification of the server. */
  notified(method: string, params: Fields): void {
    const state = this.#rules.noticed(method, params)
    if (!state) return
    for (const follower of this.#followers.get(state.id) ?? []) follower.told(state)
  }

  /** The server answers; a stream that was lost can be asked for again. */
  reached(): void {
    if (!this.#isLost) return
    this.#isLost = false
    this.#renewSoon()
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#stream?.abort()
    this.#stream = undefined
    this.#heard = new Set()
  }

  #renewSoon(): void {
    if (!this.#rules.filter || this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#renew()
    }, gatherMs)
  }

  // the new stream is open before the old one is closed, so that nothing is missed
  async #renew(): Promise<void> {
    const filter = this.#rules.filter?.([...this.#followers.keys()])
    if (!filter || this.#followers.size === 0) return
    const stream = new AbortController()
    const onEnd = (): void => {
      if (this.#stream !== stream) return
      this.#end()
      this.#isLost = true
      for (const followers of this.#followers.values()) for (const follower of followers) follower.lost()
    }
    // notified() receives the notifications of every stream
    const listener = { signal: stream.signal, onNotice() {}, onEnd }
    const honoured = await this.#host.listen(filter, listener).catch((error) => {
      this.#isLost = isOutage(error)
      return undefined
    })
    if (honoured === undefined || this.#followers.size === 0) return stream.abort()
    this.#stream?.abort()
    this.#stream = stream
    const { taskIds } = honoured
    this.#heard = new Set(Array.isArray(taskIds) ? taskIds : [])
  }
}
