import type { NetworkOptions } from '../../network/network-options.ts'
import type { SecretStore } from '../../stores/secret-store.ts'

/** One HTTP request to an authorization server. */
export interface Outbound {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  /** True if the request may be sent to an IP address of the host. */
  allows(address: string): boolean
}

/** Sends one request without following redirects; where DNS is available, only to an allowed address. */
export type OutboundFetch = (outbound: Outbound) => Promise<Response>

/** Options of a callback listener. */
export interface CallbackOptions {
  /** The URL to listen on; without a port, a free one is used. */
  readonly redirect: URL
  /** The `state` that the redirect must have. */
  readonly state: string
}

/** Listens for the redirect. */
export interface CallbackListener {
  /** The redirect URI. */
  readonly redirectUri: string
  /** Resolves with the parameters of the redirect. */
  received(signal: AbortSignal): Promise<URLSearchParams>
  /** Stops listening. */
  close(): Promise<void>
}

/** Functions that differ between runtimes. */
export interface Platform {
  /** Sends requests as the options or the environment say. */
  fetchBy(network: NetworkOptions | undefined): OutboundFetch
  /** The default secret store. */
  defaultSecrets(): SecretStore
  fileSecrets(folder: string): SecretStore
  /** Opens a page in the browser; rejects when that is not possible. */
  openBrowser(url: URL): Promise<void>
  listenForCallback(options: CallbackOptions): Promise<CallbackListener>
}
