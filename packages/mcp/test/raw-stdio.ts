import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StdioChannel } from '../src/transports/stdio/stdio-channel.ts'
import type { Id, WireError } from '../src/wire/messages.ts'
import { Mailbox } from './mailbox.ts'

/** A message that a test hears from the other end: none has all members, and a test looks for what it expects. */
export interface Heard {
  readonly id: Id
  readonly method: string
  readonly params: { readonly requestId: Id; readonly _meta: { readonly progressToken: Id } }
  readonly result: { readonly content: readonly { readonly text: string }[] }
  readonly error: WireError
}

/** A stdio channel whose far end is in the hands of the test: it writes raw lines and reads what comes back. */
export function rawStdio(role: 'client' | 'server') {
  const input = new PassThrough()
  const output = new PassThrough()
  const heard = new Mailbox<Heard>()
  createInterface(output).on('line', (line) => heard.put(JSON.parse(line)))
  const asLine = (message: unknown): string => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`
  return {
    channel: new StdioChannel({ input, output }, { role }),
    heard,
    /** Writes a piece of text, wherever in a line it begins and ends. */
    write: (piece: string): void => void input.write(piece),
    /** Writes all of it at once, as one chunk; texts go out as they are. */
    say: (...messages: readonly unknown[]): void => void input.write(messages.map(asLine).join('')),
    hangUp: (): void => void input.end(),
  }
}
