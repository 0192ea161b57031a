import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { programFile } from '../../../../../../tools/lib/program-file.ts'
import { OwnBoard } from '../../../fixtures/board.ts'
import { Talk } from './talk.ts'

const count = 3
const program = new URL('process.ts', import.meta.url)
const fixtures = new URL('../../../fixtures/', import.meta.url)
// the arguments of this process may make tests of what it starts
const options: ForkOptions = { execArgv: [], serialization: 'advanced' }

/** A POST that one of the processes has read, or is over with. */
export interface PostEvents {
  readonly posted: [process: number, post: number]
  readonly over: [process: number, post: number]
}

/** The file of a fixture, and that of the program that serves it: both bundled or none, since a bundle has a library of its own. */
export function filesOf(fixture: string): { readonly fixtureFile: string; readonly programToStart: string } {
  const source = fileURLToPath(new URL(`${fixture}.ts`, fixtures))
  const fixtureFile = programFile(source)
  return { fixtureFile, programToStart: fixtureFile === source ? fileURLToPath(program) : programFile(program) }
}

/** Processes that serve fixtures together, and what they know of each other beside the engine. */
export class Processes {
  readonly #children: readonly ChildProcess[]
  readonly #talks: readonly Talk[]
  readonly #boards = new Map<string, OwnBoard>()
  readonly #posts = new Map<string, EventEmitter<PostEvents>>()

  constructor(file: string) {
    this.#children = Array.from({ length: count }, () => fork(file, options))
    this.#talks = this.#children.map((child, at) => {
      const talk = new Talk(child, this.#handlersOf(at))
      child.once('exit', (code) => talk.end(`A process of the cluster ended with ${code}`))
      return talk
    })
  }

  /** Calls a method of every process. */
  all<Value>(method: string, ...args: readonly unknown[]): Promise<Value[]> {
    return Promise.all(this.#talks.map((talk) => talk.ask<Value>(method, ...args)))
  }

  /** Has the fixture of a file served by every process; resolves with their addresses. */
  open(host: string, fixture: string, posts: EventEmitter<PostEvents>): Promise<string[]> {
    this.#boards.set(host, new OwnBoard())
    this.#posts.set(host, posts)
    return this.all('open', host, fixture)
  }

  async end(): Promise<void> {
    const ended = this.#children.map((child) => once(child, 'exit'))
    for (const child of this.#children) child.disconnect()
    await Promise.all(ended)
  }

  #handlersOf(at: number) {
    const board = (host: string): OwnBoard => this.#boards.get(host) ?? new OwnBoard()
    return {
      emit: (host: string, name: string, detail: string) => board(host).emit(name, detail),
      next: (host: string, name: string) => board(host).next(name),
      add: (host: string, name: string, amount: number) => board(host).add(name, amount),
      posted: (host: string, post: number) => this.#posts.get(host)?.emit('posted', at, post),
      over: (host: string, post: number) => this.#posts.get(host)?.emit('over', at, post),
      tellAll: async (host: string, subject: string, detail: string) => {
        const sums = await this.all<number>('hear', host, subject, detail)
        return sums.reduce((sum, each) => sum + each, 0)
      },
    }
  }
}
