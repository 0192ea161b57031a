/** Scripted servers that are reached over HTTP. */
import type { ServerResponse } from 'node:http'
import type { Channel } from '../../../../src/index.ts'
import { httpChannel } from '../../../../src/transports/http/client/http-channel.ts'
import { sseChannel } from '../../../../src/transports/http/client/sse-channel.ts'
import { puppet, type Reaction, type Scene } from '../../../fixtures/puppet.ts'
import { gate } from '../../../gate.ts'
import { event, events, json, plain, type Seen, scripted } from '../../../scripted-http.ts'
import { endingWith } from '../ending.ts'

/** Plays a scene at one address. */
export async function stageHttp(scene: Scene): Promise<Channel> {
  const react = puppet(scene)
  const streams = new Streams()
  const server = await scripted((seen, response) => {
    if (seen.method === 'GET') return streams.listen(response)
    if (seen.method === 'DELETE') return plain(response, 200)
    const sayings = react(seen.body)
    if (sayings.includes('exit')) return void response.destroy()
    if (!isCall(seen)) plain(response, 202)
    else if (isWhole(sayings, seen)) return json(response, sayings[0], 200, sessionOf(seen))
    else streams.answer(seen.body.id, response)
    streams.say(sayings)
  })
  return endingWith(httpChannel(server.url), () => server[Symbol.asyncDispose]())
}

/** Plays a scene on one stream, which names the address to post to. */
export async function stageSse(scene: Scene): Promise<Channel> {
  const react = puppet(scene)
  let stream: ServerResponse | undefined
  const server = await scripted((seen, response) => {
    if (seen.method === 'GET') {
      stream = events(response, 'event: endpoint\ndata: /messages\n\n')
      return
    }
    for (const saying of react(seen.body)) {
      if (saying === 'exit') stream?.destroy()
      else stream?.write(event(saying))
    }
    plain(response, 202)
  })
  return endingWith(sseChannel(server.url), () => server[Symbol.asyncDispose]())
}

/** Streams of a server that is played: that of the call it heard last, or else the one of the listener. */
class Streams {
  readonly #listener = gate<ServerResponse>()
  #call: { readonly id: unknown; readonly stream: ServerResponse } | undefined

  listen(response: ServerResponse): void {
    this.#listener.open(events(response))
  }

  answer(id: unknown, response: ServerResponse): void {
    this.#call = { id, stream: events(response) }
  }

  say(sayings: Reaction): void {
    const { id, stream } = this.#call ?? {}
    if (!stream) return void this.#listener.promise.then((listener) => write(listener, sayings))
    write(stream, sayings)
    if (!sayings.some((saying) => isAnswer(saying, id))) return
    stream.end()
    this.#call = undefined
  }
}

function write(stream: ServerResponse, sayings: Reaction): void {
  for (const saying of sayings) stream.write(event(saying))
}

function isCall({ body: { id, method } }: Seen): boolean {
  return id !== undefined && method !== undefined
}

/** True if nothing is said but the answer, so that it needs no stream. */
function isWhole(sayings: Reaction, { body: { id } }: Seen): boolean {
  return sayings.length === 1 && isAnswer(sayings[0], id)
}

function isAnswer(saying: Reaction[number] | undefined, id: unknown): boolean {
  if (Array.isArray(saying)) return saying.some((one) => isAnswer(one, id))
  return typeof saying === 'object' && 'id' in saying && saying.id === id && !('method' in saying)
}

function sessionOf({ body: { method } }: Seen): Record<string, string> {
  return method === 'initialize' ? { 'mcp-session-id': 'played' } : {}
}
