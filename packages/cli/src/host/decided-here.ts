import { findPlaces, findRunning, thisMachine } from '@trunkline/host/api'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import { callingAncestor } from '../processes/calling-ancestor.ts'
import { readKey } from '../terminal/read-key.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Asks the person at this terminal; nobody else can decide, and Enter decides nothing. */
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

/**
 * What a person decides is decided in a terminal, and not by a program that is connected to the host: what was asked to
 * do something must not approve it.
 */
export async function refuseWithoutPerson({ isInteractive }: Terminal): Promise<void> {
  if (!isInteractive) {
    throw new Failure('Only a person can decide this: run it in a terminal', {
      code: 'NotInteractive',
      exit: exitCodes.denied,
    })
  }
  await refuseCallers()
}

/** Refuses whatever a program that is connected to the host has started. */
export async function refuseCallers(): Promise<void> {
  const running = await findRunning(findPlaces(thisMachine()))
  const caller = running && (await callingAncestor(Number(new URL(running.url).port)))
  if (!caller) return
  throw new Failure(
    `Only a person can decide this, and "${caller.name}" (process ${caller.pid}) started it, which is connected to the host`,
    { code: 'Caller', exit: exitCodes.denied, hint: 'Run it in a terminal of your own' },
  )
}
