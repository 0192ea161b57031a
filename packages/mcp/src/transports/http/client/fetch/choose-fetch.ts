import type { Fetch } from '../options.ts'
import { nodeFetch } from './node-fetch.ts'
import { hasProxy, proxiedFetch } from './proxy.ts'

/** The `fetch` of Node: through the proxy of the environment, or else over `node:http`. */
export async function chooseFetch(env: NodeJS.ProcessEnv = process.env): Promise<Fetch | undefined> {
  if (!hasProxy(env)) return nodeFetch
  // Node's own `fetch` then uses the proxy itself
  return env.NODE_USE_ENV_PROXY === '1' ? undefined : proxiedFetch()
}
