import type { NetworkOptions } from '../../../../network/network-options.ts'
import { proxyFor } from '../../../../network/proxy-for.ts'
import { routes } from '../../../../network/routes.ts'
import type { Fetch } from '../http-channel-options.ts'
import { fetchBy, nodeFetch } from './node-fetch.ts'

/** The `fetch` of Node: over `node:http`, through a proxy where the options or the environment name one. */
export async function chooseFetch(network: NetworkOptions = {}, env = process.env): Promise<Fetch | undefined> {
  const isUsual = network.ca === undefined && !proxyFor(network, env)
  return isUsual ? nodeFetch : fetchBy(routes(network, env))
}
