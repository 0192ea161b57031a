import { findClient } from '../clients/clients.ts'
import type { OpenCall } from '../relay/open-call.ts'

/** What a client needs to take the answer before it gives up, in milliseconds. */
const marginMs = 15_000
/** No call is held longer than this, whatever its client allows. */
const longestMs = 5 * 60_000

/** How long a call of a client is held for a person: as long as it is known to wait, else as usual. */
export function holdFor(client: string, usualMs: number): number {
  const limitMs = findClient(client)?.callTimeoutMs?.value
  return limitMs === undefined ? usualMs : Math.min(longestMs, Math.max(limitMs - marginMs, limitMs / 2))
}

/**
 * Tells a caller that wants progress why its call takes long, until the returned function is called. The numbers grow so
 * slowly that whatever the server reports afterwards is more.
 */
export function tellWaiting(call: OpenCall, message: string, everyMs: number): () => void {
  let told = 0
  const tell = (): void => {
    told += 1
    call.progress({ progress: told * 1e-6, message })
  }
  tell()
  const timer = setInterval(tell, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
