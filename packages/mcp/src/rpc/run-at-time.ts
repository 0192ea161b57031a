import { timerDelay } from './deadline.ts'

/** Runs a task at a time as in `Date.now()`, for which no process is kept alive; the returned function calls it off. */
export function runAtTime(time: number, task: () => void): () => void {
  const timer = setTimeout(task, timerDelay(time - Date.now()))
  if (typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}
