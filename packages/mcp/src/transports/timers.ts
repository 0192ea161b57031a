import { duration } from '../rpc/deadline.ts'

// a longer delay makes timers fire at once
const longestDelayMs = 2 ** 31 - 1

/** Checks a duration given by a user and cuts it to what a timer can wait. */
export function checkedDelay(name: string, ms: number): number {
  return Math.min(duration(name, ms), longestDelayMs)
}

/** Waits for a promise to settle, for a limited time; resolves with whether it did. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const settled = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(settled, settled)
  })
}

/** Runs a function at an interval, without keeping the process alive where that is possible. */
export function every(ms: number, run: () => void): ReturnType<typeof setInterval> {
  const timer = setInterval(run, ms)
  if (typeof timer === 'object') timer.unref()
  return timer
}
