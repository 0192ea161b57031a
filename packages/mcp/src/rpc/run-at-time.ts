import { timerDelay } from './deadline.ts'

/** Runs a task at a time as in `Date.now()`, without keeping the process alive; the returned function cancels it. */
export function runAtTime(time: number, task: () => void): () => void {
  const timer = setTimeout(task, timerDelay(time - Date.now()))
  if (typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}
