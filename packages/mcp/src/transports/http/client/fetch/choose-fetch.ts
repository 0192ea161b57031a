import type { Fetch } from '../options.ts'
import { nodeFetch } from './node-fetch.ts'
import { hasProxy, proxiedFetch } from './proxy.ts'

/** What carries requests on Node: the proxy that the environment names, or else `node:http`. */
export async function chooseFetch(env: NodeJS.ProcessEnv = process.env): Promise<Fetch | undefined> {
  if (!hasProxy(env)) return nodeFetch
  // Node's own `fetch` then goes there by itself
  return env.NODE_USE_ENV_PROXY === '1' ? undefined : proxiedFetch()
}
