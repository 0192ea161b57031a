import type { NetworkOptions } from '../../../../network/network-options.ts'
import { McpError } from '../../../../wire/errors.ts'

/** Uses the `fetch` of the runtime, which has its own ideas of proxies and certificates. */
export async function chooseFetch(network?: NetworkOptions): Promise<undefined> {
  if (network !== undefined)
    throw new McpError(
      'Misuse',
      'Cannot use "network" here: this runtime decides about proxies and certificates itself',
    )
  return undefined
}
