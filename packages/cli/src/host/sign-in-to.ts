import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { HostLink } from './host-link.ts'

export interface SignInToOptions {
  readonly output: Output
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** True to open a browser. */
  readonly browser: boolean
}

/** Signs in to a server of the host: shows the page, and waits until the person comes back from it. */
export async function signInTo(host: HostLink, server: string, options: SignInToOptions): Promise<void> {
  const { output, terminal, signal, browser } = options
  const stop = new AbortController()
  const events = host.events(AbortSignal.any([signal, stop.signal]))
  // the stream opens before the state is read, so that nothing is missed
  const first = events.next()
  try {
    const { isSignedIn, page = '', host: at, question } = await host.call('login', { server })
    if (isSignedIn) return
    if (!terminal.isInteractive) throw nobody(server, page)
    output.note([styled('strong', `Sign in to "${server}" at ${at}: `), styled('name', page)])
    if (browser) await show(page)
    for (let next = await first; !next.done; next = await events.next()) {
      if (next.value.event === 'withdrawn' && next.value.id === question) break
    }
    const after = await host.call('login', { server })
    if (!after.isSignedIn) throw notSignedIn(server)
  } finally {
    stop.abort()
    await first.catch(() => {})
  }
}

/** The page is shown in any case, so a machine without a browser is no failure. */
async function show(page: string): Promise<void> {
  const { openBrowser } = await import('@trunkline/mcp/auth')
  await openBrowser(new URL(page)).catch(() => {})
}

function nobody(server: string, page: string): Failure {
  return new Failure(`Somebody has to sign in to "${server}", and nobody sits at this terminal`, {
    code: 'SignInNeeded',
    exit: exitCodes.signInNeeded,
    hint: `Run it in a terminal, or visit within 15 minutes, on this machine: ${page}`,
  })
}

function notSignedIn(server: string): Failure {
  return new Failure(`Nobody signed in to "${server}"`, { code: 'SignInNeeded', exit: exitCodes.signInNeeded })
}
