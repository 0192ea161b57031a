/** Limits of the code server. */
export interface CodeLimits {
  /** Bytes of one message of a language server; a larger one is dropped, and its request fails. */
  readonly maxMessageBytes: number
  /** Time of a language server to be ready. */
  readonly startMs: number
  /** Time of a language server for one answer. */
  readonly requestMs: number
  /** Requests in a row without any sign of a language server, after which it is ended. */
  readonly maxUnanswered: number
  /** Failures of a language server, within `restartWindowMs`, after which it is not started again. */
  readonly maxRestarts: number
  readonly restartWindowMs: number
  /** Pause before the second start; each further one is twice as long. */
  readonly restartPauseMs: number
  /** Time of a language server or a test runner to end when it is asked to. */
  readonly graceMs: number
  /** Time to wait for the diagnostics of a file. */
  readonly diagnosticsMs: number
  /** Files that are open in one language server at a time. */
  readonly maxOpenFiles: number
  /** Files of a project that are looked at. */
  readonly maxFiles: number
  /** Bytes of a file that is read. */
  readonly maxFileBytes: number
  /** Files of one rename. */
  readonly maxRenamedFiles: number
  /** Time of a run of tests. */
  readonly testsMs: number
  /** Bytes of the report of a run of tests. */
  readonly maxReportBytes: number
  /** Tests whose results are kept. */
  readonly maxTestResults: number
  /** Time to parse a file or to run a query on its tree. */
  readonly syntaxMs: number
  /** Interval between looks at the files of a watched project. */
  readonly lookEveryMs: number
}

export const codeLimits: CodeLimits = {
  maxMessageBytes: 16 * 1024 ** 2,
  startMs: 30_000,
  requestMs: 20_000,
  maxUnanswered: 3,
  maxRestarts: 4,
  restartWindowMs: 300_000,
  restartPauseMs: 1_000,
  graceMs: 2_000,
  diagnosticsMs: 5_000,
  maxOpenFiles: 100,
  maxFiles: 20_000,
  maxFileBytes: 2 * 1024 ** 2,
  maxRenamedFiles: 500,
  testsMs: 900_000,
  maxReportBytes: 16 * 1024 ** 2,
  maxTestResults: 10_000,
  syntaxMs: 2_000,
  lookEveryMs: 1_000,
}
