import { findHost, type HostLink, openHost } from './host-link.ts'
import { settledServers } from './settled-servers.ts'

/** The host; where none runs one is started, and has read what is configured when this returns. */
export async function startedHost(): Promise<HostLink> {
  const running = await findHost()
  if (running) return running
  const { runningOrStarted } = await import('./start-detached.ts')
  await runningOrStarted()
  const host = await openHost()
  const { configuredLaunches, thisMachine } = await import('@trunkline/host/config')
  const { length: configured } = await configuredLaunches(thisMachine(), process.cwd())
  await settledServers(host.call, ({ length }) => length >= configured)
  return host
}
