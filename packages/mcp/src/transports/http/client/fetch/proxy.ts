import { McpError } from '../../../../wire/errors.ts'
import type { Fetch } from '../options.ts'

const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']

/** Whether the environment names a proxy. */
export function hasProxy(env: NodeJS.ProcessEnv): boolean {
  return names.some((name) => env[name])
}

/** A `fetch` that uses the proxy of the environment. */
export async function proxiedFetch(): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch } = await loadUndici()
  const dispatcher = new EnvHttpProxyAgent()
  return (url, init) => fetch(url, { ...(init as object), dispatcher })
}

async function loadUndici(): Promise<typeof import('undici')> {
  try {
    return await import('undici')
  } catch (cause) {
    const remedy = 'install the package "undici", or start Node 24 with NODE_USE_ENV_PROXY=1'
    throw new McpError('Misuse', `Cannot use the proxy of the environment: ${remedy}`, { cause })
  }
}
