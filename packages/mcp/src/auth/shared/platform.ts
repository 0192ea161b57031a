import type { SecretStore } from '../../stores/secret-store.ts'

/** One HTTP request about authorization. */
export interface Outbound {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  /** Whether the request may go to an address that the host was found to have. */
  allows(address: string): boolean
}

/** Carries one request and follows no redirect; where names can be looked up, only to an address that is allowed. */
export type OutboundFetch = (outbound: Outbound) => Promise<Response>

/** What to wait for after the user has been sent to a page. */
export interface CallbackOptions {
  /** The address to listen at; one without a port is given a free one. */
  readonly redirect: URL
  /** What the right request is recognised by. */
  readonly state: string
}

/** Waits for the browser to come back. */
export interface CallbackListener {
  /** The address that the browser has to come back to. */
  readonly redirectUri: string
  /** Resolves with what the browser brings along, once. */
  received(signal: AbortSignal): Promise<URLSearchParams>
  /** Resolves when nobody listens any more. */
  close(): Promise<void>
}

/** What differs between runtimes. */
export interface Platform {
  readonly fetch: OutboundFetch
  /** Where secrets are kept when nothing else is said. */
  defaultSecrets(): SecretStore
  fileSecrets(folder: string): SecretStore
  /** Shows a page to the user; rejects when that cannot be done. */
  openBrowser(url: URL): Promise<void>
  listenForCallback(options: CallbackOptions): Promise<CallbackListener>
}
