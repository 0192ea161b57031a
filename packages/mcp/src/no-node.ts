import { McpError } from './wire/errors.ts'

/** Stands in for a server that listens where programs cannot. */
export async function serveHttp(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot listen for HTTP: this runtime calls a handler instead; use toFetch()')
}

/** Stands in for the names of a machine where there is none. */
export function ownHosts(): never {
  throw new McpError('Unsupported', 'Cannot tell the names of this machine: this runtime has none')
}

/** Stands in for waiting for signals where there are none. */
export async function untilSignal(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot wait for a signal: this runtime has none')
}
