import { platform } from '#auth'
import { AuthError } from '../shared/auth-error.ts'
import type { CallbackListener } from '../shared/platform.ts'

/** The way to open the browser, and the place it is redirected to. */
export interface RedirectChoice {
  /** The redirect URI; on this machine, unless `visit` is given. @default a free port of 127.0.0.1 */
  readonly redirectUri?: string
  /** Shows a page to the user. @default opens the browser */
  readonly open?: (url: URL) => unknown
  /**
   * Opens the authorization page and resolves with the URL that the browser is redirected to; used instead of `open`.
   */
  readonly visit?: (url: URL, options: { readonly redirectUri: string; readonly signal: AbortSignal }) => Promise<URL>
}

/** A redirect URI that is being listened on. */
export interface BrowserRedirect {
  readonly redirectUri: string
  /** Opens a page, and resolves with the parameters of the redirect. */
  take(url: URL, signal: AbortSignal): Promise<URLSearchParams>
  close(): Promise<void>
}

/**
 * Listens on the redirect URI before the browser is opened; prefers the URI that was registered, if its port is free.
 */
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
  // without a browser on this machine the user can open the URL on another one
  await platform.openBrowser(url).catch(() => console.error(`Open this page to sign in: ${url.href}`))
}
