import { platform } from '#auth'
import { AuthError } from '../shared/auth-error.ts'
import type { CallbackListener } from '../shared/platform.ts'

/** How the user gets to the page of an authorization server, and back. */
export interface RedirectChoice {
  /** Where the browser comes back to: on this machine, unless there is a `visit`. @default a free port of 127.0.0.1 */
  readonly redirectUri?: string
  /** Shows a page to the user. @default opens the browser */
  readonly open?: (url: URL) => unknown
  /** Takes the user to a page and resolves with the URL that the browser comes back to, instead of `open`. */
  readonly visit?: (url: URL, options: { readonly redirectUri: string; readonly signal: AbortSignal }) => Promise<URL>
}

/** A way back that is open. */
export interface BrowserRedirect {
  readonly redirectUri: string
  /** Takes the user to a page, and resolves with what comes back. */
  take(url: URL, signal: AbortSignal): Promise<URLSearchParams>
  close(): Promise<void>
}

/** Opens the way back before the user leaves; the address that was registered is taken if it is free. */
export async function openRedirect(
  choice: RedirectChoice,
  state: string,
  registered?: string,
): Promise<BrowserRedirect> {
  const { visit, redirectUri } = choice
  if (!visit) return listening(choice, await listener(redirectUri, state, registered))
  if (redirectUri === undefined) throw new AuthError('sign-in', 'Cannot sign in: "visit" needs a "redirectUri"')
  return {
    redirectUri,
    take: async (url, signal) => (await visit(url, { redirectUri, signal })).searchParams,
    close: async () => {},
  }
}

const anyPort = 'http://127.0.0.1/callback'

async function listener(wanted: string | undefined, state: string, registered = anyPort): Promise<CallbackListener> {
  const listen = (address: string) => platform.listenForCallback({ redirect: new URL(address), state })
  if (wanted !== undefined) return listen(wanted)
  return listen(registered).catch((error) => (registered === anyPort ? Promise.reject(error) : listen(anyPort)))
}

function listening({ open = show }: RedirectChoice, listener: CallbackListener): BrowserRedirect {
  return {
    redirectUri: listener.redirectUri,
    async take(url, signal) {
      const failed = new AbortController()
      Promise.resolve(open(url)).catch((error: unknown) => failed.abort(error))
      return listener.received(AbortSignal.any([signal, failed.signal]))
    },
    close: () => listener.close(),
  }
}

async function show(url: URL): Promise<void> {
  // without a browser here there may be one elsewhere
  await platform.openBrowser(url).catch(() => console.error(`Open this page to sign in: ${url.href}`))
}
