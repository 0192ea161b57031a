import type { ApiParts } from './api/parts.ts'
import { version } from './host.ts'
import type { RunningHost } from './running-host.ts'

/** What the API speaks of, in a host that runs. */
export function apiParts(running: Omit<RunningHost, 'api'>, directory: string, down: () => void): ApiParts {
  const { host, config, acceptances } = running
  const { store, catalogue, servers, inbox, grants, ledger, payloads, principals } = host
  return {
    version,
    store,
    catalogue,
    servers,
    inbox,
    grants,
    ledger,
    payloads,
    principals,
    mcpUrl: () => host.url,
    policy: () => host.policy,
    specs: () => host.specs,
    isAccepted: (server) => host.isAccepted(server),
    accept: async (server) => void (await host.accept(server)),
    configured: () => running.state,
    explainConfig: async (key) => (await config.effective(directory)).explain(key),
    acceptFile: async (permits) => {
      await acceptances.accept(permits, Date.now())
      config.refresh()
    },
    down,
  }
}
