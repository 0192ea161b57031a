import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gitHttpBackend } from '@trunkline/server-kit/git-http-backend'

type Json = { readonly [name: string]: unknown }

/** A request that reached the fake. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly body: Json
}

/** An answer that is given instead of the state. */
export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

type Instead = Answer | 'drop' | 'hang' | undefined

/**
 * A small GitHub with the parts that the emulator lacks: marks for conditional requests, limits, scopes, push access,
 * checks with annotations and logs, pull requests among the issues. Texts are set by the test, and writes change them.
 */
export class FakeGithub {
  /** Answers by path, without the query. */
  readonly state = new Map<string, unknown>()
  readonly seen: Seen[] = []
  /** Number of answers that said only that nothing changed. */
  unchanged = 0
  /** Answers instead of the state, or ends or keeps the connection; undefined lets the state answer. */
  instead: (seen: Seen, authorization: string) => Instead | Promise<Instead> = () => undefined
  /** Answers requests of git itself. */
  #git: RequestListener | undefined
  readonly #server = createServer((request, response) => {
    if (this.#git !== undefined && /\.git\//.test(request.url ?? '')) return void this.#git(request, response)
    void this.#answer(request).then((answer) => {
      if (answer === 'hang') return
      if (answer === 'drop') return void response.destroy()
      const { status, headers, body } = answer
      const isText = typeof body === 'string'
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
      response.end(status === 304 ? undefined : isText ? body : JSON.stringify(body ?? {}))
    })
  })

  /** Starts with answers by path, and with a folder of bare repositories that git can fetch from and push to. */
  static async start(state: { readonly [path: string]: unknown } = {}, repositories?: string): Promise<FakeGithub> {
    const fake = new FakeGithub()
    if (repositories !== undefined) fake.#git = gitHttpBackend(repositories)
    fake.state.set('/user', { login: 'ada' })
    for (const [path, value] of Object.entries(state)) fake.state.set(path, value)
    fake.#server.listen(0, '127.0.0.1')
    await once(fake.#server, 'listening')
    return fake
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return `http://${this.host}`
  }

  /** Requests with a method other than GET. */
  get writes(): readonly Seen[] {
    return this.seen.filter(({ method }) => method !== 'GET')
  }

  async #answer(request: IncomingMessage): Promise<Answer | 'drop' | 'hang'> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname: path, searchParams } = new URL(request.url ?? '', this.url)
    const text = Buffer.concat(chunks).toString()
    const seen = {
      method: request.method ?? '',
      path: decodeURIComponent(path),
      body: text === '' ? {} : (JSON.parse(text) as Json),
    }
    this.seen.push(seen)
    const instead = await this.instead(seen, request.headers.authorization ?? '')
    if (instead !== undefined) return instead
    if (request.headers.authorization !== 'token good') return { status: 401, body: { message: 'Bad credentials' } }
    if (seen.method !== 'GET') return this.#write(seen)
    const value = this.state.get(seen.path)
    if (value === undefined) return { status: 404, body: { message: 'Not Found' } }
    const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 30)]
    const body =
      Array.isArray(value) && searchParams.has('per_page') ? value.slice((page - 1) * size, page * size) : value
    const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}"`
    const headers = {
      etag,
      'x-ratelimit-remaining': '4000',
      'x-ratelimit-reset': `${Math.ceil(Date.now() / 1_000) + 60}`,
    }
    if (request.headers['if-none-match'] !== etag) return { status: 200, headers, body }
    this.unchanged++
    return { status: 304, headers }
  }

  /** Lists get the body as another item; things get its members. */
  #write({ path, body }: Seen): Answer {
    const known = this.state.get(path)
    const made = { id: this.seen.length, number: this.seen.length, html_url: `https://${this.host}${path}`, ...body }
    if (Array.isArray(known)) known.push(made)
    else if (known !== undefined) this.state.set(path, { ...known, ...body, updated_at: `${Date.now()}` })
    return { status: 200, body: made }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** A repository of the fake. */
export const repository = (name: string, isPrivate = false): Json => ({
  name,
  full_name: `ada/${name}`,
  owner: { login: 'ada' },
  private: isPrivate,
  visibility: isPrivate ? 'private' : 'public',
  default_branch: 'main',
})

/** An issue, or a pull request among the issues. */
export const item = (number: number, more: Json = {}): Json => ({
  number,
  title: `Title ${number}`,
  body: `Text ${number}`,
  state: 'open',
  user: { login: 'ada' },
  author_association: 'OWNER',
  labels: [],
  assignees: [],
  comments: 0,
  updated_at: '2026-11-17T10:00:00Z',
  html_url: `https://github.com/ada/open/issues/${number}`,
  ...more,
})

/** A pull request. */
export const pullRequest = (number: number, more: Json = {}): Json => ({
  ...item(number),
  draft: false,
  merged: false,
  mergeable: true,
  head: { ref: 'topic', label: 'ada:topic', sha: 'a'.repeat(40) },
  base: { ref: 'main' },
  ...more,
})
