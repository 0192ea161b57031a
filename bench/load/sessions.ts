import { connect, type Socket } from 'node:net'
import type { Offer } from '../contestants/contestant.ts'
import { type Address, headersOf, path, postOf, streamOf } from '../wire/http.ts'
import { initialize, initialized, listen, type Message } from '../wire/messages.ts'

const atOnce = 16
const patienceMs = 20_000

/** Opens sessions, a few at once, and returns where to speak in each; shapes without sessions need no opening. */
export async function openSessions(port: number, { shape }: Offer, count: number): Promise<Address[]> {
  const address: Address = { port, shape }
  if (!shape.session) return Array.from({ length: count }, () => address)
  return inParts(count, () => openSession(address))
}

/** Holds the stream of each session open, or as many listen requests where there are no sessions. */
export async function holdStreams(addresses: readonly Address[]): Promise<Socket[]> {
  return inParts(addresses.length, (index) => {
    const address = addresses[index] as Address
    return address.shape.session
      ? hold(address, streamOf(address))
      : hold(address, postOf(address, listen(address.shape, index)))
  })
}

/** Sends one message and returns the answer. */
export async function post(address: Address, message: Message): Promise<Response> {
  const init = { method: 'POST', headers: headersOf(address, message), body: JSON.stringify(message) }
  return fetch(`http://127.0.0.1:${address.port}${path}`, { ...init, signal: AbortSignal.timeout(patienceMs) })
}

async function openSession(address: Address): Promise<Address> {
  const answer = await post(address, initialize(address.shape))
  const words = await answer.text()
  const session = answer.headers.get('mcp-session-id')
  if (session === null) throw new Error(`Cannot open a session: ${answer.status} ${words.slice(0, 200)}`)
  const opened = { ...address, session }
  await (await post(opened, initialized)).text()
  return opened
}

function hold({ port }: Address, request: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.setTimeout(patienceMs, () => reject(new Error(`Cannot hold a stream: no answer within ${patienceMs} ms`)))
    socket.once('data', (chunk: Buffer) => {
      socket.setTimeout(0)
      socket.resume()
      if (chunk.toString().startsWith('HTTP/1.1 200')) return resolve(socket)
      reject(new Error(`Cannot hold a stream: ${chunk.toString().slice(0, 200)}`))
    })
    socket.write(request)
  })
}

async function inParts<Part>(count: number, make: (index: number) => Promise<Part>): Promise<Part[]> {
  const parts: Part[] = []
  while (parts.length < count) {
    const first = parts.length
    const size = Math.min(atOnce, count - first)
    parts.push(...(await Promise.all(Array.from({ length: size }, (_, index) => make(first + index)))))
  }
  return parts
}
