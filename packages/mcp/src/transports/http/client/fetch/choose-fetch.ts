import type { Fetch } from '../options.ts'
import { nodeFetch } from './node-fetch.ts'
import { proxiedFetch, sawProxy } from './proxy.ts'

/** What carries requests on Node: the proxy that the environment names, or else `node:http`. */
export async function carrier(env: NodeJS.ProcessEnv = process.env): Promise<Fetch | undefined> {
  if (!sawProxy(env)) return nodeFetch
  // Node's own `fetch` then goes there by itself
  return env.NODE_USE_ENV_PROXY === '1' ? undefined : proxiedFetch()
}
