/** Load on a server over HTTP. */
export interface HttpLoad {
  readonly port: number
  /** The bytes of whole requests, sent in turn. */
  readonly requests: readonly string[]
  /** Parts that every answer must contain. */
  readonly expected: readonly string[]
  readonly connections: number
  readonly durationMs: number
}

/** Result of a load; a wrong answer is an error, never a figure. */
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
