import { type Authorizer, McpError } from '@trunkline/mcp'
import type { AuthError, TokenAuthorizer } from '@trunkline/mcp/auth'
import type { ServerKey } from '../../act/server-key.ts'
import type { Secrets } from '../../config/secrets/secret-file.ts'
import type { Inbox } from '../../inbox/inbox.ts'
import type { Settlement } from '../../inbox/question.ts'
import { type Deferred, deferred } from '../../relay/deferred.ts'
import type { RemoteLaunch } from '../launch.ts'
import type { Upstream } from '../upstream.ts'
import { removeRecords, secretRecords } from './secret-records.ts'
import { askToSignIn, signInMs, whySignIn } from './sign-in-question.ts'
import { orAborted, orLate } from './wait.ts'

/** Dependencies of signing in. */
export interface SignInParts {
  readonly inbox: Inbox
  readonly secrets: Secrets
  /** Milliseconds a call is held while the person signs in. */
  readonly holdMs: number
  /** True if no person can be asked. */
  readonly isUnattended: boolean
  upstream(server: ServerKey): Upstream | undefined
  /** Shows a page to the person at this machine. @default the browser */
  openPage?(page: URL): Promise<void>
}

/** A page that the person has to visit. */
export interface SignInPage {
  readonly page: URL
  readonly question: string
}

type Request = Parameters<Authorizer['authorize']>[0]
type Refusal = Parameters<Authorizer['challenged']>[0]
type Waiting = SignInPage & Deferred<void>

/** Tokens are refreshed so long before they expire. */
const refreshAheadMs = 60_000

/** Signs in to one server, with tokens that are its own; the wait for a person outlives the calls that need it. */
export class ServerSignIn implements Authorizer {
  readonly #server: ServerKey
  readonly #launch: RemoteLaunch
  readonly #parts: SignInParts
  readonly #stop = new AbortController()
  #tokens: Promise<TokenAuthorizer> | undefined
  #waiting: Waiting | undefined
  /** Listeners that have to know as soon as a person is needed. */
  readonly #alerted = new Set<(waiting: Waiting) => void>()

  constructor(server: ServerKey, launch: RemoteLaunch, parts: SignInParts) {
    this.#server = server
    this.#launch = launch
    this.#parts = parts
  }

  /** The page that waits for the person, if one does. */
  get page(): SignInPage | undefined {
    return this.#waiting
  }

  async authorize(request: Request, signal?: AbortSignal) {
    return (await this.#authorizer()).authorize(request, signal)
  }

  async challenged(refusal: Refusal, signal?: AbortSignal): Promise<boolean> {
    const authorizer = await this.#authorizer()
    // a person takes longer than a call: the next call finds them signed in
    const outcome = authorizer.challenged(refusal, this.#stop.signal)
    outcome.catch((error: unknown) => this.#failed(error))
    const first = this.#waiting ?? (await this.#first(outcome, signal))
    if (typeof first === 'boolean') return first
    // the start of a server does not wait for the person; the calls that want it do
    if (!this.#upstream?.isConnected) throw this.#mustSignIn(first)
    return this.#held(outcome, first, signal)
  }

  /** Resolves when the person has signed in; undefined if there is no need to. */
  whenSignedIn(signal?: AbortSignal): Promise<void> | undefined {
    const waiting = this.#waiting
    return waiting && this.#held(waiting.promise, waiting, signal)
  }

  /** Asks again, whatever became of the last time. */
  startOver(): void {
    if (!this.#waiting) this.#tokens = undefined
  }

  /** Deletes the tokens and the client registration. */
  async signOut(): Promise<void> {
    await this.#end('signed out')
    this.#tokens = undefined
    await removeRecords(this.#parts.secrets, this.#server)
  }

  close(): void {
    this.#stop.abort(new DOMException('Nobody signs in any more', 'AbortError'))
  }

  get #upstream(): Upstream | undefined {
    return this.#parts.upstream(this.#server)
  }

  /** The first event: the outcome, or that a person is needed for it. */
  async #first(outcome: Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean | Waiting> {
    const { promise, resolve } = deferred<Waiting>()
    this.#alerted.add(resolve)
    try {
      return await orAborted(Promise.race([outcome, promise]), signal)
    } finally {
      this.#alerted.delete(resolve)
    }
  }

  #authorizer(): Promise<TokenAuthorizer> {
    this.#tokens ??= this.#make()
    return this.#tokens
  }

  async #make(): Promise<TokenAuthorizer> {
    // loaded only where a server wants it
    const { signIn } = await import('@trunkline/mcp/auth')
    const { oauth = {}, network } = this.#launch
    const { clientId, clientSecret, scopes, resource, callbackPort = 0 } = oauth
    return signIn({
      store: secretRecords(this.#parts.secrets, this.#server, () => void this.#kept()),
      ...(clientId !== undefined && { client: { clientId, ...(clientSecret !== undefined && { clientSecret }) } }),
      ...(scopes && { scopes }),
      ...(network && { network }),
      ...(resource !== undefined && { resource }),
      ...(callbackPort !== 0 && { redirectUri: `http://127.0.0.1:${callbackPort}/callback` }),
      refreshAheadMs,
      limits: { maxSignInMs: signInMs },
      open: (page) => this.#ask(page),
    })
  }

  /** Asks for a visit; rejects, and with it everything that waits, when there will be none. */
  async #ask(page: URL): Promise<void> {
    const { inbox, isUnattended, openPage = openInBrowser } = this.#parts
    if (isUnattended) throw unauthorized(`Somebody has to sign in to server "${this.#server}", and nobody is here`)
    if (this.#upstream?.isConnected) this.#upstream.needsYou(whySignIn(this.#server, page))
    const { question, settled } = await askToSignIn(inbox, this.#server, page)
    const waiting = { page, question: question.id, ...deferred<void>() }
    waiting.promise.catch(() => {})
    this.#waiting = waiting
    for (const alert of this.#alerted) alert(waiting)
    const settlement = await settled
    if (this.#waiting !== waiting) return
    if (settlement.state === 'answered' && settlement.answer.choice !== 'refuse') return openPage(page).catch(() => {})
    throw unauthorized(`Nobody signed in to server "${this.#server}": ${reasonOf(settlement)}`)
  }

  /** Ends the wait for the person; only their sign-in gets tokens meanwhile, so these are theirs. */
  async #kept(): Promise<void> {
    const waiting = this.#waiting
    if (!waiting) return
    await this.#end('signed in')
    this.#upstream?.signedIn()
    waiting.resolve()
  }

  /** Ends a sign-in that failed; a single failed request changes nothing for the others. */
  async #failed(error: unknown): Promise<void> {
    const waiting = this.#waiting
    if (!waiting || (error as Partial<AuthError>).problem === 'limit') return
    const why = error instanceof Error ? error.message : String(error)
    await this.#end(why)
    this.#upstream?.needsYou(why)
    waiting.reject(error)
  }

  async #end(why: string): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) await this.#parts.inbox.withdraw(waiting.question, why)
  }

  #held<Value>(promise: Promise<Value>, waiting: SignInPage, signal: AbortSignal | undefined): Promise<Value> {
    return orAborted(
      orLate(promise, this.#parts.holdMs, () => this.#mustSignIn(waiting)),
      signal,
    )
  }

  #mustSignIn({ page, question }: SignInPage): McpError {
    const what = `Somebody has to sign in to server "${this.#server}" at ${page.host} first (question ${question})`
    return unauthorized(`${what}; call again once that is done`)
  }
}

function reasonOf(settlement: Settlement): string {
  if (settlement.state !== 'answered') return settlement.why
  const { sentence } = settlement.answer
  return `a person refused${sentence ? `: ${sentence}` : ''}`
}

function unauthorized(message: string): McpError {
  return new McpError('Unauthorized', message, { outcome: 'NotSent' })
}

async function openInBrowser(page: URL): Promise<void> {
  const { openBrowser } = await import('@trunkline/mcp/auth')
  await openBrowser(page)
}
