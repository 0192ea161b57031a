import type { Network } from '../shared/network.ts'

const header = 'mcp-protocol-version'

/** A network on which the server is told the revision that is spoken with it; to nobody else that means anything. */
export function withVersionHeader(network: Network, revision: string | undefined): Network {
  if (revision === undefined) return network
  const { fetch: carry, policy } = network
  return {
    ...network,
    fetch(outbound) {
      if (outbound.url.origin !== policy.server.origin) return carry(outbound)
      return carry({ ...outbound, headers: { ...outbound.headers, [header]: revision } })
    },
  }
}
