/** A webhook on loopback that answers as a test wants it to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Hook extends AsyncDisposable {
  readonly url: string
  /** The body of each request that arrived whole, oldest first. */
  readonly bodies: readonly Body[]
}

/** Body of a request to the webhook. */
export interface Body {
  readonly event: string
  readonly text: string
  readonly link: string
  readonly questions: readonly { readonly [name: string]: unknown }[]
}

/** Listens; `answer` is given each request and how many came before it. */
export async function hook(
  answer: (response: ServerResponse, before: number, request: IncomingMessage) => void = (response) => response.end(),
): Promise<Hook> {
  const bodies: Body[] = []
  const listening = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    bodies.push(JSON.parse(text))
    answer(response, bodies.length - 1, request)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks/very-secret`,
    bodies,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}
