import { findClient } from '../clients/clients.ts'
import type { OpenCall } from '../relay/open-call.ts'

/** Time that a client needs to take the answer before its timeout, in milliseconds. */
const marginMs = 15_000
/** Longest hold of a call, whatever its client allows. */
const longestMs = 5 * 60_000

/** Time for which a client's call is held for a person: by the known timeout of the client, else as usual. */
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
