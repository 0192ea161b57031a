import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { readKey } from '../terminal/read-key.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findHost } from './host-link.ts'

/** Asks the person at this terminal, who alone can decide; Enter decides nothing. */
export async function decidedHere(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  return (await chosenHere(terminal, { question, keys: ['y', 'n'] }, signal)) === 'y'
}

/** Asks the person at this terminal for one of some keys. */
export async function chosenHere<const Key extends string>(
  terminal: Terminal,
  { question, keys }: { readonly question: string; readonly keys: readonly Key[] },
  signal: AbortSignal,
): Promise<Key> {
  await refuseWithoutPerson(terminal)
  terminal.screen.write(`${question} [${keys.join('/')}] `)
  const key = await readKey(terminal, keys, signal)
  terminal.screen.write(`${key}\n`)
  return key
}

/** Refuses to run a command that needs a person, or a terminal, without one. */
export function requireFor(needs: 'person' | 'terminal', terminal: Terminal): Promise<void> {
  return needs === 'terminal' ? refuseWithoutPerson(terminal) : refuseCallers()
}

/** Refuses decisions outside a terminal, and those of what a caller of the host started: a caller must not approve itself. */
export async function refuseWithoutPerson({ isInteractive }: Terminal): Promise<void> {
  if (!isInteractive) {
    throw new Failure('Only a person can decide this: run it in a terminal', {
      code: 'NotInteractive',
      exit: exitCodes.denied,
    })
  }
  await refuseCallers()
}

/** Refuses what a caller or a server of the host has started; the host says which, and refuses it too. */
export async function refuseCallers(): Promise<void> {
  const host = await findHost()
  const { refusal } = (await host?.call('mayDecide')) ?? {}
  if (refusal === undefined) return
  throw new Failure(refusal, { code: 'Caller', exit: exitCodes.denied, hint: 'Run it in a terminal of your own' })
}
