import type { Client } from '@trunkline/mcp'
import { memoryOf } from './process-memory.ts'
import { type ServerSpec, specDefaults } from './server-spec.ts'

/** Unanswered pings in a row after which a server counts as failed. */
const maxMisses = 2

export interface HealthParts {
  current(): ServerSpec
  readonly pid: number | undefined
  /** True if its output is read slowly, so that an answer may wait behind other output; then it is not asked. */
  isThrottled(): boolean
  onIll(why: string): void
}

/** Checks now and then whether a server still answers and stays within its memory; calls back once when it does not. */
export function watchHealth(client: Client, { current, pid, isThrottled, onIll }: HealthParts): { stop(): void } {
  const { healthMs = specDefaults.healthMs, pingMs = specDefaults.pingMs } = current()
  if (healthMs === 0) return { stop() {} }
  let misses = 0
  let isStopped = false
  const check = async (): Promise<void> => {
    const { maxMemoryBytes = specDefaults.maxMemoryBytes } = current()
    const bytes = pid === undefined ? 0 : await memoryOf(pid)
    if (bytes > maxMemoryBytes)
      return onIll(`it used ${mebibytes(bytes)}, more than the ${mebibytes(maxMemoryBytes)} it may`)
    if (isThrottled()) return
    try {
      await client.ping({ timeoutMs: pingMs })
      misses = 0
    } catch {
      misses += 1
    }
    if (misses >= maxMisses) onIll(`it did not answer ${maxMisses} pings in a row`)
  }
  const next = (): NodeJS.Timeout =>
    setTimeout(async () => {
      if (!isStopped) await check()
      if (!isStopped && misses < maxMisses) timer = next()
    }, healthMs).unref()
  let timer = next()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
