/** One test or suite that came to its end. */
export interface TestRecord {
  /** Its name behind those of the suites around it. */
  readonly path: readonly string[]
  readonly kind: 'test' | 'suite'
  readonly ms: number
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Reason for skipping it. */
  readonly reason?: string
  /** Full error; missing if it failed only because of a test in it. */
  readonly error?: string
  /** File and line, as editors link it. */
  readonly at?: string
}

/** One line of what the process of a test file reports. */
export type Line =
  | { readonly is: 'begun' | 'over'; readonly id: number; readonly name: string }
  | { readonly is: 'record'; readonly record: TestRecord }
  | { readonly is: 'finished'; readonly cpuMs: number }

/** Report of a test file's process, until it ended or was ended. */
export interface Report {
  readonly records: readonly TestRecord[]
  /** The tests that had begun and were not over. */
  readonly running: readonly string[]
  /** True if all of its tests ended. */
  readonly finished: boolean
  /** Processor time of the process and of those that it started and that had ended. */
  readonly cpuMs: number
  /** The first line that is none of ours: something else wrote into the file. */
  readonly foreign?: string
}

/** Reads what was reported; a last line that was cut off is left out. */
export function readReport(text: string): Report {
  const read = text.split('\n').slice(0, -1).map(readLine)
  const lines = read.filter((line) => typeof line !== 'string')
  const foreign = read.find((line) => typeof line === 'string')
  const running = new Map<number, string>()
  for (const line of lines) {
    if (line.is === 'begun') running.set(line.id, line.name)
    if (line.is === 'over') running.delete(line.id)
  }
  const finished = lines.filter((line) => line.is === 'finished')
  return {
    records: lines.flatMap((line) => (line.is === 'record' ? [line.record] : [])),
    running: [...running.values()],
    finished: finished.length > 0,
    cpuMs: finished.at(-1)?.cpuMs ?? 0,
    ...(foreign !== undefined && { foreign }),
  }
}

function readLine(text: string): Line | string {
  try {
    return JSON.parse(text) as Line
  } catch {
    return text
  }
}
