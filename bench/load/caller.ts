import { once } from 'node:events'
import { NotThereYet, type Running, startProgram } from '../process/program.ts'
import type { Round, RoundOutcome } from '../program/rounds.ts'
import { quantile } from '../report/statistics.ts'
import type { LoadOutcome } from './load.ts'

/** A program that makes calls itself, on the servers' core, when it is told to. */
export class Caller {
  readonly #program: Running

  private constructor(program: Running) {
    this.#program = program
  }

  /** Starts the program and waits until it is ready to call. */
  static async start(program: string, env: Readonly<Record<string, string>>): Promise<Caller> {
    const running = startProgram(program, { env, hold: 'channel' })
    const caller = new Caller(running)
    await caller.#said()
    return caller
  }

  /** Lets it call for one round. */
  async run(round: Round): Promise<LoadOutcome> {
    const said = this.#said()
    this.#program.child.send(round)
    const outcome = (await said) as RoundOutcome
    if ('failure' in outcome) throw new Error(outcome.failure)
    const sorted = outcome.latenciesMs.toSorted((left, right) => left - right)
    return { ...outcome, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
  }

  end(): Promise<void> {
    return this.#program.end()
  }

  #said(): Promise<unknown> {
    const { child, exited, lastWords } = this.#program
    const gone = exited.then(() => Promise.reject(new NotThereYet(lastWords())))
    return Promise.race([once(child, 'message').then(([words]) => words), gone])
  }
}
