// region words
import type { ClientAdds, ClientExtension, ServerExtension } from '@trunkline/mcp'
import { receiptClient } from './on-client.ts'
import { receiptServer } from './on-server.ts'

/** Additions to a server: a member of a tool's definition, and one of the context of its handler. */
export interface ReceiptsOnServer {
  readonly tool: { readonly price?: number }
  readonly context: { discount(percent: number): void }
}

/** Additions to a client. */
export interface ReceiptsOnClient extends ClientAdds {
  readonly client: { readonly receipts: { total(): Promise<number> } }
}

export const receiptsId = 'com.example/receipts'
const amount = { type: 'number' } as const

/** Tools that cost something, and what a caller owes: the same module on both sides. */
export function receipts(): ServerExtension<ReceiptsOnServer> & ClientExtension<ReceiptsOnClient> {
  return {
    id: receiptsId,
    methods: {
      'com.example/receipts/total': { result: { type: 'object', properties: { total: amount }, required: ['total'] } },
    },
    server: receiptServer,
    client: receiptClient,
  }
}
// endregion
