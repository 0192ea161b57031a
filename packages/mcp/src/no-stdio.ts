import { McpError } from './wire/errors.ts'

/** Stands in for standard input and output where there are no processes. */
export function spawnChannel(): never {
  throw new McpError('Unsupported', 'Cannot start a server: this runtime has no processes', { outcome: 'NotSent' })
}

/** Stands in for standard input and output where there are none. */
export async function serveStdio(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot serve over stdio: this runtime has no standard input and output')
}
