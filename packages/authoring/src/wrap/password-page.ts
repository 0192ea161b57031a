import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// not imported: that would load the WebSocket client of Node too, at every start
const { createServer } = process.getBuiltinModule('node:http')

/** A question that is answered on a page. */
export interface PageQuestion {
  readonly url: string
  readonly answer: Promise<string>
}

interface OpenQuestion extends PageQuestion {
  readonly path: string
  readonly text: string
  settle(answer: string): void
}

/** A page of this machine on which a person types what neither client nor model may see. */
export class PasswordPage {
  readonly #questions = new Map<string, OpenQuestion>()
  #server: Server | undefined

  /** Puts a question on the page; the same one has the same address. */
  async ask(key: string, text: string): Promise<PageQuestion> {
    const before = this.#questions.get(key)
    if (before) return before
    const port = await this.#listen()
    const path = `/${randomBytes(24).toString('base64url')}`
    let settle: (answer: string) => void = () => {}
    const answer = new Promise<string>((resolve) => {
      settle = resolve
    })
    const question = { path, text, url: `http://127.0.0.1:${port}${path}`, answer, settle }
    this.#questions.set(key, question)
    return question
  }

  close(): void {
    this.#server?.close()
    this.#server?.closeAllConnections()
  }

  async #listen(): Promise<number> {
    if (this.#server === undefined) {
      const server = createServer((request, response) => void this.#serve(request, response))
      this.#server = server.unref()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
    }
    return (this.#server.address() as AddressInfo).port
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = `127.0.0.1:${request.socket.localPort}`
    const question = [...this.#questions.values()].find(({ path }) => path === request.url)
    const { host, origin } = request.headers
    // a page elsewhere that found the port must not get through under another name
    if (question === undefined || host !== own || (origin !== undefined && origin !== `http://${own}`))
      return answerPage(response, 404, 'There is nothing here.')
    if (request.method !== 'POST') return answerPage(response, 200, form(question.text))
    const body = await readBody(request)
    if (body === undefined) return answerPage(response, 413, 'That is too long.')
    question.settle(new URLSearchParams(body).get('answer') ?? '')
    answerPage(response, 200, 'The program has it. You can close this page.')
  }
}

const maxBodyBytes = 16_384

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > maxBodyBytes) return undefined
  }
  return body
}

function answerPage(response: ServerResponse, status: number, inner: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  })
  const style = 'body{font:16px system-ui;max-width:40em;margin:4em auto;padding:0 1em}pre{white-space:pre-wrap}'
  response.end(`<!doctype html><meta charset="utf-8"><title>A program asks</title><style>${style}</style>${inner}`)
}

function form(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<h1>A program asks</h1><pre>${shown}</pre><form method="post"><label>Answer <input type="password" name="answer" autofocus autocomplete="off"></label> <button>Send</button></form>`
}
