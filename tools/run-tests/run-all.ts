import { type FileOptions, type FileOutcome, runFile, runGroup } from './run-file.ts'

/** Limits on test files: how many run at once, and how long. */
export interface RunOptions extends Omit<FileOptions, 'signal' | 'limitMs'> {
  readonly atOnce: number
  /** For one file. */
  readonly fileLimitMs: number
  /** For all of them together. */
  readonly wholeLimitMs: number
  /** Ends all of them for the given reason. */
  readonly signal?: AbortSignal
  readonly onBegin: (file: string) => void
  readonly onEnd: (outcome: FileOutcome) => void
}

/** Runs groups of test files, each in one process; one that could not begin in time has failed like one that hangs. */
export async function runAll(groups: readonly (readonly string[])[], options: RunOptions): Promise<FileOutcome[]> {
  const { atOnce, fileLimitMs, wholeLimitMs, onBegin, onEnd, ...rest } = options
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(`the time for all files, ${wholeLimitMs / 1000} s, was over`), wholeLimitMs)
  const signal = AbortSignal.any([over.signal, ...(options.signal ? [options.signal] : [])])
  const waiting = groups.values()
  const outcomes: FileOutcome[] = []
  const work = async () => {
    for (const group of waiting) {
      if (!signal.aborted) for (const file of group) onBegin(file)
      const ended = signal.aborted
        ? group.map((file) => ({ file, ...notBegun, problem: `${signal.reason} before it began` }))
        : await runTogether(group, { ...rest, limitMs: fileLimitMs, signal })
      for (const outcome of ended) {
        outcomes.push(outcome)
        onEnd(outcome)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  clearTimeout(timer)
  return outcomes
}

const notBegun = { records: [], output: '', ms: 0, cpuMs: 0 }

function runTogether(group: readonly string[], options: FileOptions): Promise<readonly FileOutcome[]> {
  const [first = '', ...others] = group
  return others.length > 0 ? runGroup(group, options) : runFile(first, options).then((outcome) => [outcome])
}
