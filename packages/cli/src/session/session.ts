import type { Authorizer } from '@trunkline/mcp'
import type { Client, ClientOptions, Dial } from '@trunkline/mcp/client'
import type { ServerTarget } from './target.ts'
import { tapped, type WireListener } from './wire-tap.ts'

/** Options of a session with a server. */
export interface ServerSessionOptions {
  readonly target: ServerTarget
  /** The one revision to speak. @default the newest that both sides speak */
  readonly revision?: string | undefined
  /** Milliseconds for opening, and for each request altogether. @default those of the library */
  readonly timeoutMs?: number | undefined
  /** Stops the opening. */
  readonly signal: AbortSignal
  readonly onWarning: (message: string) => void
  /** Listener for the stderr of the server's program. */
  readonly onStderr?: ((text: string) => void) | undefined
  readonly onWire?: WireListener | undefined
  /** Shows a server at a URL who is calling. */
  readonly auth?: Authorizer | undefined
  /** Answers to the server's questions, and other options of the library's client. */
  readonly client?: Pick<
    ClientOptions,
    'elicitation' | 'sampling' | 'roots' | 'relay' | 'onLog' | 'logLevel' | 'extensions'
  >
}

/** Opens a conversation with a server; closing it ends the program, if one was started. */
export async function openSession(options: ServerSessionOptions): Promise<Client> {
  const { revision, timeoutMs, signal, onWarning, onWire, client } = options
  const { open } = await import('@trunkline/mcp/client')
  const dial = await dialTarget(options)
  return open(onWire ? tapped(dial, onWire) : dial, {
    ...(revision !== undefined && { revisions: [revision] }),
    ...(timeoutMs !== undefined && { timeoutMs, maxTotalMs: timeoutMs }),
    signal,
    onWarning,
    ...client,
  })
}

async function dialTarget({ target, onWarning, onStderr, auth }: ServerSessionOptions): Promise<Dial> {
  if (target.kind === 'url') {
    const { dialUrl } = await import('@trunkline/mcp/client')
    return dialUrl(target.url, { auth, ...(target.headers && { headers: target.headers }) })
  }
  const { spawnChannel } = await import('@trunkline/mcp/stdio')
  // one for all attempts: a program that ends at once is started again
  const onNoise = noiseWarning(onWarning)
  return () => spawnChannel(target.program, { onNoise, ...(onStderr && { onStderr }) })
}

/** Lines on stdout that are no messages, of which each is quoted: a program that is no server writes a page of them. */
const maxQuotedLines = 3

function noiseWarning(onWarning: (message: string) => void): (line: string) => void {
  let lines = 0
  return (line) => {
    lines += 1
    if (lines <= maxQuotedLines) onWarning(`The server wrote to stdout what is no message: ${line}`)
    else if (lines === maxQuotedLines + 1)
      onWarning('The server wrote more to stdout that is no message; is it a server?')
  }
}
