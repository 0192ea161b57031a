import { memorySecrets } from '../stores/secret-store.ts'
import { McpError } from '../wire/errors.ts'
import type { Platform } from './shared/platform.ts'

/** The platform of runtimes without files, browsers and ports. */
export const platform: Platform = {
  fetchBy: (network) => {
    if (network !== undefined) unsupported('use "network": this runtime decides about proxies and certificates itself')
    return ({ url, method, headers, body, signal }) =>
      fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' })
  },
  defaultSecrets: memorySecrets,
  fileSecrets: () => unsupported('keep secrets in files: this runtime has none'),
  openBrowser: async () => unsupported('open a browser: this runtime has none; use the option "visit"'),
  listenForCallback: async () => unsupported('listen for the browser: this runtime does not; use the option "visit"'),
}

function unsupported(problem: string): never {
  throw new McpError('Unsupported', `Cannot ${problem}`)
}
