import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Conditions under which free memory is given back to the system. */
export interface ReleaseOptions {
  /** Milliseconds between two looks at the process. @default 180_000 */
  readonly everyMs?: number
  /** Growth of the resident memory, since the start or the last release, that is worth a collection. @default 33_554_432 */
  readonly minGrownBytes?: number
}

/** An idle host works less than this part of the time; it looks at its configuration four times in a second. */
const idleShare = 0.05

/**
 * Gives free pages of V8 back to the system while the process is idle. After a flood V8 holds on to 100 MB and more, and
 * only a collection of last resort lets go of them. It halts the process for a moment, so none is made under load.
 */
export function releaseWhenIdle({
  everyMs = 180_000,
  minGrownBytes = 32 * 1024 ** 2,
}: ReleaseOptions = {}): Disposable {
  let settled = process.memoryUsage.rss()
  let looked = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(looked)
    looked = performance.eventLoopUtilization()
    if (utilization > idleShare || process.memoryUsage.rss() - settled < minGrownBytes) return
    collectAll()
    settled = process.memoryUsage.rss()
  }, everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function collectAll(): void {
  // only contexts that are made while the flag is set have the function
  setFlagsFromString('--expose-gc')
  const collect: (options: object) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
