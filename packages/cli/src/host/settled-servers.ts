import { findHost, type HostLink } from './host-link.ts'
import type { ServerSummary } from './show.ts'

/** Time that a host may take to read its configuration. */
const readMs = 10_000
const lookMs = 50

/** Waits until a host, if one runs, has read what was just written, so that the next command finds it so. */
export async function readByHost(isRead: (servers: readonly ServerSummary[]) => boolean): Promise<void> {
  const host = await findHost()
  if (host) await settledServers(host.call, isRead)
}

/** Servers of the host, once it has read those that are looked for: it answers before it has. */
export async function settledServers(
  call: HostLink['call'],
  isSettled: (servers: readonly ServerSummary[]) => boolean,
): Promise<readonly ServerSummary[]> {
  for (const until = Date.now() + readMs; ; ) {
    const { items } = await call('servers')
    if (isSettled(items) || Date.now() >= until) return items
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
