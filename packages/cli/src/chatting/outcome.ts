import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { interruption } from '../terminal/interrupt.ts'
import type { TurnEnd } from './turn.ts'

const exits: { readonly [code: string]: ExitCode } = {
  NoModel: exitCodes.usage,
  Budget: exitCodes.denied,
  Key: exitCodes.signInNeeded,
  Limited: exitCodes.unreachable,
  Unreachable: exitCodes.unreachable,
  Quiet: exitCodes.timeout,
}

const incomplete: { readonly [why: string]: string } = {
  length: 'The answer is not whole: the model may not write more at once',
  steps: 'The answer is not whole: the model made too many requests in a row; say "go on"',
  filtered: 'The provider kept the answer back',
}

/** Failure of a turn that did not end with an answer; undefined if it did. */
export function failureOf(end: TurnEnd): Failure | undefined {
  if (end.type === 'failed') {
    return new Failure(end.message, { code: end.code, exit: exits[end.code] ?? exitCodes.protocolError })
  }
  if (end.why === 'stopped') return interruption()
  const message = incomplete[end.why]
  return message === undefined ? undefined : new Failure(message, { code: 'Incomplete', exit: exitCodes.toolError })
}
