import type { ClientHandler, ClientRequest } from '../../../client/client-request.ts'
import { wait } from '../../../rpc/abortable-wait.ts'
import { RpcError, TrunklineError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { type RetryHint, resultTermsOf } from '../terms.ts'
import { retryHintOf } from './retry-hint.ts'

interface RepeatOptions {
  /** True if a repeat cannot take effect twice. */
  readonly isSafe: boolean
  readonly attempts: number | undefined
  readonly deadlineMs: number | undefined
}

const defaults = { attempts: 3, afterMs: 200, maxAfterMs: 30_000 } as const

/** Makes a call again where that is safe and sensible, within its attempts and its time. */
export async function withRepeats(
  request: ClientRequest,
  next: ClientHandler,
  options: RepeatOptions,
): Promise<Fields> {
  const { isSafe, attempts = defaults.attempts, deadlineMs = Number.POSITIVE_INFINITY } = options
  const end = performance.now() + deadlineMs
  for (let attempt = 1; ; attempt++) {
    const mayRepeat = isSafe && attempt < attempts && !request.options.signal?.aborted
    let pauseMs: number | undefined
    try {
      const result = await next(request)
      pauseMs = mayRepeat ? pauseBefore(resultTermsOf(result)?.retry, attempt) : undefined
      if (pauseMs === undefined || performance.now() + pauseMs >= end) return result
    } catch (error) {
      const isOpen = error instanceof TrunklineError && (error.outcome === 'Unknown' || error.outcome === 'NotSent')
      const hint = retryHintOf(error) ?? (isOpen ? { class: 'transient' as const } : undefined)
      if (!mayRepeat || !(isOpen || error instanceof RpcError)) throw error
      pauseMs = pauseBefore(hint, attempt)
      if (pauseMs === undefined || performance.now() + pauseMs >= end) throw error
    }
    await wait(pauseMs, request.options.signal)
  }
}

/** Time to wait before a repeat; undefined where none would help. */
function pauseBefore(hint: RetryHint | undefined, attempt: number): number | undefined {
  if (hint?.class !== 'transient' && hint?.class !== 'rateLimited') return undefined
  const ms = hint.afterMs ?? defaults.afterMs * 2 ** (attempt - 1)
  return ms >= 0 && ms <= defaults.maxAfterMs ? ms : undefined
}
