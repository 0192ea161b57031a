import type { Duplex } from 'node:stream'
import { lineHeaders, lineProtocol, projectHeader } from './line-protocol.ts'

// not imported: that would load the WebSocket client of Node too, at every start
const { request } = process.getBuiltinModule('node:http')

/** Address of the host, and the client to connect for. */
export interface HostLine {
  /** Such as `http://127.0.0.1:4173/`. */
  readonly url: string
  readonly token: string
  /** `/mcp`, or `/mcp/server/NAME`. */
  readonly path: string
  /** The program on whose behalf the lines come. */
  readonly client: string
  /** The directory it works in. */
  readonly project: string
}

/** Opens a connection of lines to a running host; rejects with the host's own words when it refuses. */
export function dialHost({ url, token, path, client, project }: HostLine): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), {
      headers: {
        connection: 'Upgrade',
        upgrade: lineProtocol,
        authorization: `Bearer ${token}`,
        [lineHeaders.client]: client,
        ...projectHeader(project),
      },
    })
    sent.once('upgrade', (_answer, socket) => resolve(socket))
    sent.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece) => {
        text += piece
      })
      answer.once('end', () => reject(new HostRefused(answer.statusCode ?? 0, text)))
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** The host refused the connection; a retry would not help. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
  readonly status: number

  constructor(status: number, text: string) {
    super(`The host refused the connection: ${text}`)
    this.status = status
  }
}
