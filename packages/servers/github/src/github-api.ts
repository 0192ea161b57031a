import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { maxRateWaitMs } from '@trunkline/server-kit/account-problem'
import Bottleneck from 'bottleneck/light.js'
import { KeptAnswers } from './conditional-requests.ts'
import type { GithubAccess } from './github-access.ts'
import type { GithubLimits } from './github-limits.ts'
import { githubProblem } from './github-problem.ts'
import { limitedFetch } from './limited-fetch.ts'

const Client = Octokit.plugin(paginateRest, retry, throttling)

/** A client of GitHub's REST interface with throttling, retries and pages. */
export type GithubClient = InstanceType<typeof Client>

/** Options of {@link GithubApi}. */
export interface GithubApiOptions {
  readonly access: GithubAccess
  readonly apiUrl: string
  readonly limits: GithubLimits
}

/** The rate limit as GitHub tells it. */
interface RateLimit {
  readonly remaining: number
  readonly resetMs: number
}

/** The answer of Octokit to any request. */
type Answer = Awaited<ReturnType<GithubClient['request']>>

const notRepeated = [400, 401, 403, 404, 405, 409, 410, 412, 413, 422, 429, 451]

/**
 * One account at GitHub. Reads are conditional and repeated twice; writes go one after the other and are never repeated,
 * because a write that seems to fail may have been done. Failures become problems with one of the codes.
 */
export class GithubApi {
  readonly client: GithubClient
  /** Host of the links that people see. */
  readonly webHost: string
  readonly access: GithubAccess
  readonly #limits: GithubLimits
  readonly #kept: KeptAnswers<Answer>
  #rate: RateLimit | undefined
  #lastWrite: Promise<unknown> = Promise.resolve()

  constructor({ access, apiUrl, limits }: GithubApiOptions) {
    this.webHost = webHostOf(apiUrl)
    this.access = access
    this.#limits = limits
    this.#kept = new KeptAnswers(limits.maxKeptBytes)
    this.client = makeClient({ apiUrl, limits })
    this.client.hook.wrap('request', async (request, options) => {
      options.headers.authorization = `token ${await access.token()}`
      const signal = options.request?.signal as AbortSignal | undefined
      try {
        return options.method === 'GET'
          ? await this.#read(request as never, options as never)
          : await this.#write(request as never, options as never)
      } catch (error) {
        if (signal?.aborted && (signal.reason as Error)?.name !== 'TimeoutError') throw signal.reason
        throw githubProblem(error, { isWrite: options.method !== 'GET' })
      }
    })
  }

  /** A request function for one call: it ends with the call and within the time limit. */
  requestFor(signal: AbortSignal | undefined): GithubClient['request'] {
    const limit = AbortSignal.timeout(this.#limits.maxRequestMs * 4)
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit])
    return this.client.request.defaults({ request: { signal: both } })
  }

  /** Milliseconds between rounds of so many calls, which then take at most a quarter of the calls that are left. */
  pauseMs(calls: number, atLeastMs: number): number {
    const { remaining, resetMs } = this.#rate ?? { remaining: 5_000, resetMs: Date.now() }
    const leftMs = Math.max(0, resetMs - Date.now())
    const rounds = Math.floor(remaining / 4 / Math.max(1, calls))
    return rounds === 0 ? Math.max(atLeastMs, leftMs) : Math.max(atLeastMs, leftMs / rounds)
  }

  async #read(request: (options: object) => Promise<Answer>, options: EndpointOptions): Promise<Answer> {
    const { url } = this.client.request.endpoint(options as never) as { readonly url: string }
    const key = `${options.headers.accept} ${url}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) options.headers['if-none-match'] = kept.etag
    try {
      const answer = await request(options)
      this.#note(answer.headers)
      this.#kept.keep(key, answer.headers.etag, answer)
      return answer
    } catch (error) {
      const { status, response } = error as { status?: number; response?: Pick<Answer, 'headers'> }
      if (response !== undefined) this.#note(response.headers)
      if (status === 304 && kept !== undefined) return kept.answer
      throw error
    }
  }

  #write(request: (options: object) => Promise<Answer>, options: EndpointOptions): Promise<Answer> {
    options.request.retries = 0
    const turn = this.#lastWrite.then(() => request(options))
    this.#lastWrite = turn.catch(() => {})
    return turn
  }

  #note(headers: Answer['headers']): void {
    const [remaining, reset] = [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
    if (remaining === undefined || reset === undefined) return
    // searches have a limit of their own
    if (headers['x-ratelimit-resource'] === 'search') return
    this.#rate = { remaining: Number(remaining), resetMs: Number(reset) * 1_000 }
  }
}

interface EndpointOptions {
  readonly headers: { [name: string]: string | undefined }
  readonly request: { retries?: number }
}

function makeClient({ apiUrl, limits }: Omit<GithubApiOptions, 'access'>): GithubClient {
  const wait = (seconds: number, _options: unknown, _client: unknown, count: number) =>
    seconds * 1_000 <= maxRateWaitMs && count < 2
  const group = (maxConcurrent: number, minTime = 0) => new Bottleneck.Group({ maxConcurrent, minTime })
  const quiet = () => {}
  return new Client({
    baseUrl: apiUrl.replace(/\/$/, ''),
    userAgent: 'trunkline-github',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: { fetch: limitedFetch(limits) },
    retry: { retries: 2, retryAfterBaseValue: limits.retryMs, doNotRetry: notRepeated },
    throttle: {
      onRateLimit: wait,
      onSecondaryRateLimit: wait,
      global: group(4),
      write: group(1, limits.writeEveryMs),
      notifications: group(1, limits.writeEveryMs),
      search: group(1, limits.searchEveryMs),
    } as never,
  })
}

/** The host of the pages that belong to an address of the interface. */
function webHostOf(apiUrl: string): string {
  const { host } = new URL(apiUrl)
  return host.replace(/^api\./, '')
}
