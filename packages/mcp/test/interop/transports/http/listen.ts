import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens on a free port of this machine. */
export interface Hosted extends AsyncDisposable {
  readonly url: string
}

/** A server that listens, and what it remembers of its clients. */
export interface Remembering extends Hosted {
  readonly sessions: { readonly size: number; clear(): void }
}

/** Answers requests until it is disposed of; what fails is the fault of the peer under test. */
export async function listen(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  close: () => Promise<unknown>,
): Promise<Hosted> {
  const http = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: Error) => outgoing.destroy(error))
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      await close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
