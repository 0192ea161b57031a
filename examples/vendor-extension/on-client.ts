// region client
import type { ClientPart } from '@trunkline/mcp'

/** The part of the extension on one client: what it owes, on request. */
export function receiptClient(): ClientPart {
  return {
    connected: (host) => ({
      client: {
        receipts: {
          async total() {
            const { total } = await host.request('com.example/receipts/total', {})
            return total as number
          },
        },
      },
    }),
  }
}
// endregion
