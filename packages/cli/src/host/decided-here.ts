import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import { readKey } from '../terminal/read-key.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Asks the person at this terminal; nobody else can decide, and Enter decides nothing. */
export async function decidedHere(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  refuseWithoutPerson(terminal)
  terminal.screen.write(`${question} [y/n] `)
  const key = await readKey(terminal, ['y', 'n'], signal)
  terminal.screen.write(`${key}\n`)
  return key === 'y'
}

/** What a person decides is decided in a terminal: a program that was asked to do something must not approve it. */
export function refuseWithoutPerson({ isInteractive }: Terminal): void {
  if (isInteractive) return
  throw new Failure('Only a person can decide this: run it in a terminal', {
    code: 'NotInteractive',
    exit: exitCodes.denied,
  })
}
