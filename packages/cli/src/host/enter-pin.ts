import { type ApiClient, ApiRefusal } from '@trunkline/host/api'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { interruption } from '../terminal/interrupt.ts'
import { readHidden } from '../terminal/read-hidden.ts'
import { processTerminal, type Terminal } from '../terminal/terminal.ts'

/** Asks for the PIN until it is right or too many were wrong; the host then takes decisions of this process for a while. */
export async function enterPin({ call }: Pick<ApiClient, 'call'>): Promise<void> {
  const terminal = pinTerminal()
  for (;;) {
    const pin = await readPin(terminal, 'PIN:')
    try {
      return void (await call('enterPin', { pin }))
    } catch (error) {
      if (!(error instanceof ApiRefusal) || error.status !== wrong) throw error
      terminal.screen.write(`${error.message}\n`)
    }
  }
}

/** The status of a PIN that is not the right one. */
const wrong = 422

/** The terminal in which a PIN is typed: never a pipe, whatever else this process writes as JSON. */
export function pinTerminal(): Terminal {
  const terminal = processTerminal(true)
  if (terminal.isInteractive) return terminal
  throw new Failure('A PIN is only taken from a terminal: run it in one', {
    code: 'NotInteractive',
    exit: exitCodes.denied,
  })
}

/** Reads a PIN, of which nothing is shown. */
export async function readPin(terminal: Terminal, question: string): Promise<string> {
  const typed = await readHidden(terminal, question, new AbortController().signal)
  if (typed === undefined) throw interruption()
  return typed
}
