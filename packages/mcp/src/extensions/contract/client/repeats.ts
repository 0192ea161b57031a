import type { ClientHandler, ClientRequest } from '../../../client/client-request.ts'
import { TrunklineError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { type RetryHint, resultTermsOf } from '../terms.ts'
import { retryHintOf } from './retry-hint.ts'

interface RepeatOptions {
  /** Whether a repeat cannot take effect twice. */
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
    let wait: number | undefined
    try {
      const result = await next(request)
      wait = mayRepeat ? waitFor(resultTermsOf(result)?.retry, attempt) : undefined
      if (wait === undefined || performance.now() + wait >= end) return result
    } catch (error) {
      const isOpen = error instanceof TrunklineError && (error.outcome === 'Unknown' || error.outcome === 'NotSent')
      if (!mayRepeat || !isOpen) throw error
      wait = waitFor(retryHintOf(error) ?? { class: 'transient' }, attempt)
      if (wait === undefined || performance.now() + wait >= end) throw error
    }
    await pause(wait, request.options.signal)
  }
}

/** How long to wait before a repeat; undefined where none would help. */
function waitFor(hint: RetryHint | undefined, attempt: number): number | undefined {
  if (hint?.class !== 'transient' && hint?.class !== 'rateLimited') return undefined
  const wait = hint.afterMs ?? defaults.afterMs * 2 ** (attempt - 1)
  return wait >= 0 && wait <= defaults.maxAfterMs ? wait : undefined
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
