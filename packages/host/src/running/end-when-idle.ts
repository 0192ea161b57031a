import type { Host } from '../assembly/host.ts'

const usualMinutes = 30
const checkMs = 10_000

export interface IdleOptions {
  readonly host: Pick<Host, 'calls' | 'idleMs'>
  /** Minutes without a caller before the host ends, as configured at the moment. */
  minutes(): number | undefined
  /** The same in milliseconds, whatever is configured. @default as configured */
  readonly stayMs?: number
  /** Interval of the check, in milliseconds. @default 10_000 */
  readonly everyMs?: number
  end(): void
}

/** Ends a host some time after its last caller has left; calls under way are finished, also when their caller left. */
export function endWhenIdle({ host, minutes, stayMs, everyMs = checkMs, end }: IdleOptions): NodeJS.Timeout {
  const timer = setInterval(() => {
    if (host.calls.size > 0 || host.idleMs < (stayMs ?? (minutes() ?? usualMinutes) * 60_000)) return
    clearInterval(timer)
    end()
  }, everyMs)
  return timer.unref()
}
