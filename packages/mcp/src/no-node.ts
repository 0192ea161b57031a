import { McpError } from './wire/errors.ts'

/** Replaces the function of Node on runtimes without listening sockets. */
export async function serveHttp(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot listen for HTTP: this runtime calls a handler instead; use toFetch()')
}

/** Replaces the function of Node on other runtimes. */
export function ownHosts(): never {
  throw new McpError(
    'Unsupported',
    'Cannot find the host names of this machine: this runtime does not know them; list them in "hosts"',
  )
}

/** Replaces the function of Node on runtimes without signals. */
export async function untilSignal(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot wait for a signal: this runtime has none')
}
