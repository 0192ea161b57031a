import { type FileOptions, type FileOutcome, runFile } from './run-file.ts'

/** How many test files run at once and how long they may take. */
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

/** Runs every test file; one that could not begin in time has failed like one that hangs. */
export async function runAll(files: readonly string[], options: RunOptions): Promise<FileOutcome[]> {
  const { atOnce, fileLimitMs, wholeLimitMs, onBegin, onEnd, ...rest } = options
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(`the time for all files, ${wholeLimitMs / 1000} s, was over`), wholeLimitMs)
  const signal = AbortSignal.any([over.signal, ...(options.signal ? [options.signal] : [])])
  const waiting = files.values()
  const outcomes: FileOutcome[] = []
  const work = async () => {
    for (const file of waiting) {
      if (!signal.aborted) onBegin(file)
      const outcome = signal.aborted
        ? { file, records: [], problem: `${signal.reason} before it began`, output: '', ms: 0 }
        : await runFile(file, { ...rest, limitMs: fileLimitMs, signal })
      outcomes.push(outcome)
      onEnd(outcome)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  clearTimeout(timer)
  return outcomes
}
