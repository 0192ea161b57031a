/** Limits of the server for GitHub. */
export interface GithubLimits {
  /** Bytes of one answer of GitHub that are read. */
  readonly maxAnswerBytes: number
  /** Milliseconds that one request may take. */
  readonly maxRequestMs: number
  /** Bytes of answers that are kept for conditional requests. */
  readonly maxKeptBytes: number
  /** Pages of 50 that a filtered list looks at. */
  readonly maxScannedPages: number
  /** Files of a pull request that are read. */
  readonly maxPullFiles: number
  /** Milliseconds between two writes, as GitHub asks for. */
  readonly writeEveryMs: number
  /** Milliseconds between two searches, as GitHub asks for. */
  readonly searchEveryMs: number
  /** Milliseconds before a failed read is repeated for the first time; it is repeated twice. */
  readonly retryMs: number
}

export const githubLimits: GithubLimits = {
  maxAnswerBytes: 16 * 1024 ** 2,
  maxRequestMs: 30_000,
  maxKeptBytes: 8 * 1024 ** 2,
  maxScannedPages: 5,
  maxPullFiles: 300,
  writeEveryMs: 1_000,
  searchEveryMs: 2_000,
  retryMs: 300,
}
