import type { OutputStream } from '../output/output.ts'

/** Terminal of a person, if there is one: questions go to stderr, so that results can be piped. */
export interface Terminal {
  /** True if a person can be asked. */
  readonly isInteractive: boolean
  readonly input: NodeJS.ReadStream
  readonly screen: OutputStream & NodeJS.WritableStream
}

/** Terminal of this process; not interactive if either side is piped, or if asking is not allowed. */
export function processTerminal(mayAsk: boolean): Terminal {
  const { stdin: input, stderr: screen, env } = process
  const isInteractive = mayAsk && input.isTTY === true && screen.isTTY === true && env.TERM !== 'dumb' && !env.CI
  return { isInteractive, input, screen }
}
