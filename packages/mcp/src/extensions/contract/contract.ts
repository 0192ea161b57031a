import type { ClientAdds, ClientExtension } from '../../client/extension.ts'
import type { ServerExtension } from '../../server/extension.ts'
import type { ContractCallOptions, ContractResult } from './client/contract-call-options.ts'
import { type ContractClient, type ContractTools, contractClient } from './client/contract-on-client.ts'
import { checkContractOptions } from './server/check-options.ts'
import { contractServer } from './server/contract-on-server.ts'
import type { ContractContext, ContractTool, ServerContractOptions } from './server/server-contract-options.ts'
import { contractMethods } from './signal-method.ts'
import { contractId } from './terms.ts'

/** Additions of the contract to a server. */
export interface ContractOnServer {
  readonly tool: ContractTool
  readonly context: ContractContext
}

/** Additions of the contract to a client. */
export interface ContractOnClient extends ClientAdds {
  readonly tools: ContractTools<this['types']['tools']>
  readonly client: ContractClient
  readonly options: ContractCallOptions
  readonly result: ContractResult
}

/** The contract as an extension of either side. */
export type ContractExtension = ServerExtension<ContractOnServer> & ClientExtension<ContractOnClient>

/**
 * Adds a contract to tools: how long each may run, whether it may be repeated, what it touches, what it would do, and
 * what became of a call that failed half way.
 */
export function contract(options: ServerContractOptions = {}): ContractExtension {
  checkContractOptions(options)
  return {
    id: contractId,
    methods: contractMethods,
    handshake: true,
    server: (host) => contractServer(host, options),
    client: () => contractClient(),
  }
}
