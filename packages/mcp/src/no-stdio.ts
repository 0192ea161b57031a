import { McpError } from './wire/errors.ts'

/** Replaces the function of Node on runtimes without processes. */
export function spawnChannel(): never {
  throw new McpError('Unsupported', 'Cannot start a server: this runtime has no processes', { outcome: 'NotSent' })
}

/** Replaces the function of Node on runtimes without standard input and output. */
export async function serveStdio(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot serve over stdio: this runtime has no standard input and output')
}
