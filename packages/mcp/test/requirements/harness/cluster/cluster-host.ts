import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Balancer, startBalancer } from '../../../../../stores/chaos/balancer.ts'
import type { PostedHost } from '../http/host.ts'
import { filesOf, type PostEvents, Processes } from './processes.ts'

/** Hops of a change: from the log of the server to the outbox of a session, and from there to its stream. */
const hops = 3
const mostMs = 10_000
const betweenMs = 5

/** Processes by their program. */
const running = new Map<string, Processes>()
let started = 0

/** Ends the processes, when all hosts are closed. */
export async function endProcesses(): Promise<void> {
  for (const processes of running.values()) await processes.end()
  running.clear()
}

/** A fixture in three processes behind a balancer that sends every request to another process than the last one. */
export class ClusterHost implements PostedHost {
  readonly #name: string
  readonly #processes: Processes
  readonly #balancer: Balancer
  readonly #posts: EventEmitter<PostEvents>

  private constructor(name: string, all: Processes, balancer: Balancer, posts: EventEmitter<PostEvents>) {
    this.#name = name
    this.#processes = all
    this.#balancer = balancer
    this.#posts = posts
  }

  static async start(fixture: string): Promise<ClusterHost> {
    const { fixtureFile, programToStart } = filesOf(fixture)
    const processes = running.get(programToStart) ?? new Processes(programToStart)
    running.set(programToStart, processes)
    const name = `host_${process.pid}_${++started}`
    const posts = new EventEmitter<PostEvents>().setMaxListeners(0)
    const urls = await processes.open(name, fixtureFile, posts)
    return new ClusterHost(name, processes, await startBalancer(urls.map((url) => ({ url }))), posts)
  }

  get url(): string {
    return this.#balancer.url
  }

  async posted() {
    const [at, number] = await once(this.#posts, 'posted')
    const whenOver = new Promise<void>((resolve) => {
      const hear = (process: number, post: number): void => {
        if (process !== at || post !== number) return
        this.#posts.off('over', hear)
        resolve()
      }
      this.#posts.on('over', hear)
    })
    return { whenOver }
  }

  /** Resolves when every process has told its clients all that it has to tell. */
  async toldAll(): Promise<void> {
    for (let hop = 0; hop < hops; hop++) await this.#processes.all('settle', this.#name)
  }

  async settled(): Promise<void> {
    const began = performance.now()
    for (;;) {
      const counts = await this.#processes.all<Record<string, number>>('live', this.#name)
      if (counts.every((each) => Object.values(each).every((count) => count === 0))) return
      if (performance.now() - began > mostMs) assert.fail(`Something stays: ${JSON.stringify(counts)}`)
      await sleep(betweenMs)
    }
  }

  async close(): Promise<void> {
    await this.#balancer[Symbol.asyncDispose]()
    await this.#processes.all('close', this.#name)
  }
}
