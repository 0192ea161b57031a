import { createPrivateKey, sign } from 'node:crypto'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { GithubLimits } from './github-limits.ts'
import { githubProblem, signedOut } from './github-problem.ts'
import { limitedFetch } from './limited-fetch.ts'

/** Access to an account at GitHub. */
export interface GithubAccess {
  /** The token of the next request; rejects with a problem where there is none. */
  token(): Promise<string>
  /** Login of the account, where GitHub does not tell it by the token. */
  account?(): Promise<string>
}

/** Access by a token that the person made. */
export function tokenAccess(token: string | undefined): GithubAccess {
  return {
    async token() {
      if (token === undefined || token === '') throw signedOut('no token is set')
      return token
    },
  }
}

/** An app of the person's own. */
export interface GithubApp {
  readonly id: string
  /** Its private key, in the form of PEM. */
  readonly key: string
}

/** A token is renewed when it has less time left. */
const renewMs = 5 * 60_000

/** Access by an app: a token of its installation, which GitHub gives for an hour, and the next one before it ends. */
export class AppAccess implements GithubAccess {
  readonly #app: GithubApp
  readonly #apiUrl: string
  readonly #fetch: typeof fetch
  #kept: { readonly token: string; readonly untilMs: number } | undefined
  #renewal: Promise<string> | undefined

  constructor(app: GithubApp, { apiUrl, limits }: { readonly apiUrl: string; readonly limits: GithubLimits }) {
    this.#app = app
    this.#apiUrl = apiUrl.replace(/\/$/, '')
    this.#fetch = limitedFetch(limits)
  }

  async token(): Promise<string> {
    if (this.#kept !== undefined && this.#kept.untilMs - Date.now() > renewMs) return this.#kept.token
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async account(): Promise<string> {
    const { slug } = (await this.#ask('GET', '/app')) as { readonly slug: string }
    return `${slug}[bot]`
  }

  async #renew(): Promise<string> {
    type Installation = { readonly id: number; readonly account?: { readonly login?: string } | null }
    const installations = (await this.#ask('GET', '/app/installations?per_page=100')) as readonly Installation[]
    const [first, ...others] = installations
    if (first === undefined) throw signedOut('the app is not installed for any account')
    if (others.length > 0)
      throw new ToolProblem(
        'refused',
        `Cannot tell which account is meant: the app is installed for ${installations.map(({ account }) => quoted(account?.login ?? '')).join(', ')}`,
        { next: 'The person makes one app for each account; nothing was changed' },
      )
    const made = await this.#ask('POST', `/app/installations/${first.id}/access_tokens`)
    const { token, expires_at } = made as { readonly token: string; readonly expires_at: string }
    this.#kept = { token, untilMs: Date.parse(expires_at) || 0 }
    return token
  }

  async #ask(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#signed()}`, accept: 'application/vnd.github+json' }
    const answer = await this.#fetch(`${this.#apiUrl}${path}`, { method, headers }).catch((cause) => {
      throw githubProblem(Object.assign(new Error('no answer'), { status: 500, cause }))
    })
    const data = await answer.json().catch(() => undefined)
    if (answer.ok) return data
    if (answer.status === 401) throw signedOut('it does not know the app, or has another key for it')
    const response = { headers: Object.fromEntries(answer.headers), data }
    throw githubProblem(Object.assign(new Error('refused'), { status: answer.status, response }))
  }

  /** The words by which the app proves itself for some minutes. @see https://www.rfc-editor.org/rfc/rfc7519 */
  #signed(): string {
    const now = Math.floor(Date.now() / 1_000)
    // clocks differ: GitHub refuses words from the future
    const claims = { iat: now - 60, exp: now + 540, iss: this.#app.id }
    const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    try {
      return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(this.#app.key)).toString('base64url')}`
    } catch {
      throw signedOut('the key of the app is no private key')
    }
  }
}
