import type { AuthHeaders, Authorizer, Refusal } from '../../../rpc/authorizer.ts'
import type { HttpResponse } from './http-response.ts'
import { discard } from './response-body.ts'

/** The part of a request that an authorizer needs. */
export interface Authorizable {
  readonly method: string
  readonly url: URL
  readonly signal: AbortSignal
  /** The revision of the request, if it is known. */
  readonly revision?: string | undefined
}

/** Wraps an authorizer, and knows whether a request waits for it. */
export class Authorization {
  readonly #authorizer: Authorizer
  #waiting = 0

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer
  }

  get isBusy(): boolean {
    return this.#waiting > 0
  }

  /** The authorization headers of a request. */
  show({ method, url: { href: url }, signal }: Authorizable): Promise<AuthHeaders> {
    return this.#wait(this.#authorizer.authorize({ method, url }, signal))
  }

  /** Sends a request with authorization headers; repeats it as long as the authorizer has new ones. */
  async send<Got extends HttpResponse>(
    request: Authorizable,
    attempted: (proof: AuthHeaders) => Promise<Got>,
  ): Promise<Got> {
    const { method, url, signal, revision } = request
    for (let attempt = 0; ; attempt++) {
      const sent = await this.show(request)
      const response = await attempted(sent)
      const { status, headers } = response
      // the DELETE at the end of a session is not worth a sign-in
      if ((status !== 401 && status !== 403) || method === 'DELETE') return response
      const refusal = { status, url: url.href, sent, attempt, revision, header: (name: string) => headers.get(name) }
      if (!(await this.#isOvercome(refusal, response, signal))) return response
    }
  }

  async #isOvercome(refusal: Refusal, response: HttpResponse, signal: AbortSignal): Promise<boolean> {
    let isFinal = false
    try {
      isFinal = !(await this.#wait(this.#authorizer.challenged(refusal, signal)))
      return !isFinal
    } finally {
      if (!isFinal) await discard(response)
    }
  }

  async #wait<Value>(promise: Promise<Value>): Promise<Value> {
    this.#waiting++
    try {
      return await promise
    } finally {
      this.#waiting--
    }
  }
}
