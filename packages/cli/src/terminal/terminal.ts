import type { OutputStream } from '../output/output.ts'

/** What a person sits in front of, if one does: questions go to stderr, so that results can be piped. */
export interface Terminal {
  /** Whether somebody can be asked. */
  readonly isInteractive: boolean
  readonly input: NodeJS.ReadStream
  readonly screen: OutputStream & NodeJS.WritableStream
}

/** The terminal of this process; there is none when either side is piped, or when nobody is to be asked. */
export function processTerminal(mayAsk: boolean): Terminal {
  const { stdin: input, stderr: screen, env } = process
  const isInteractive = mayAsk && input.isTTY === true && screen.isTTY === true && env.TERM !== 'dumb' && !env.CI
  return { isInteractive, input, screen }
}
