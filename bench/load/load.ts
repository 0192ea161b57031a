/** What a load generator is asked to do to a server over HTTP. */
export interface HttpLoad {
  readonly port: number
  /** The bytes of whole requests, sent in turn. */
  readonly requests: readonly string[]
  /** What every answer must contain, all of it. */
  readonly expected: readonly string[]
  readonly connections: number
  readonly durationMs: number
}

/** What came of it; a wrong answer is an error, never a figure. */
export interface LoadOutcome {
  readonly calls: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** An answer that is not what was asked for. */
export class WrongAnswer extends Error {
  constructor(answer: string, expected: readonly string[]) {
    const wanted = expected.map((part) => part.slice(0, 80)).join(' and ')
    super(`Cannot count the answer "${answer.slice(0, 300)}": expected it to contain ${wanted}`)
  }
}
