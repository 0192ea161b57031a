/** A server with sessions, and a channel that has shaken hands with it. */
import type { ServerResponse } from 'node:http'
import type { Channel } from '../src/rpc/channel.ts'
import { httpChannel } from '../src/transports/http/client/http-channel.ts'
import type { HttpChannelOptions } from '../src/transports/http/client/http-channel-options.ts'
import type { Fields, RequestMessage } from '../src/wire/messages.ts'
import { Recorder } from './recorder.ts'
import { type Answering, events, json, plain, result, type Scripted, type Seen, scripted } from './scripted-http.ts'

export interface Ways {
  /** Nothing with a server that keeps no sessions; the number is that of the handshake. */
  readonly sessionId?: (handshakes: number) => string | undefined
  readonly initialize?: (seen: Seen, response: ServerResponse, handshakes: number) => void
  /** Answers what is posted, except for `initialize`. @default accepts it */
  readonly post?: Answering
  /** @default refuses it */
  readonly get?: Answering
  /** @default refuses it */
  readonly delete?: Answering
}

export interface Shaken extends AsyncDisposable {
  readonly server: Scripted
  readonly channel: Channel
  /** Receiver of what arrived after the handshake. */
  readonly receiver: Recorder
}

export const revision = '2025-11-25'

export const greeting = { protocolVersion: revision, capabilities: {}, serverInfo: { name: 'old', version: '1' } }

/** Starts both, and shakes hands. */
export async function shaken(ways: Ways, options: HttpChannelOptions = {}): Promise<Shaken> {
  const server = await scripted(answering(ways))
  const channel = httpChannel(server.url, options)
  const receiver = new Recorder()
  channel.open(receiver)
  channel.send(asking('initialize', 0, { protocolVersion: revision }))
  await receiver.received(1)
  receiver.messages.length = 0
  await channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const dispose = async (): Promise<void> => {
    await channel.close()
    await server[Symbol.asyncDispose]()
  }
  return { server, channel, receiver, [Symbol.asyncDispose]: dispose }
}

function answering(ways: Ways): Answering {
  const { sessionId = (count) => `session-${count}`, get = refuse, post = accept } = ways
  let handshakes = 0
  return (seen, response) => {
    if (seen.method === 'GET') return get(seen, response)
    if (seen.method === 'DELETE') return (ways.delete ?? refuse)(seen, response)
    if (seen.body.method !== 'initialize') return post(seen, response)
    handshakes++
    if (ways.initialize) return ways.initialize(seen, response, handshakes)
    const id = sessionId(handshakes)
    json(response, result(seen, greeting), 200, id === undefined ? {} : { 'mcp-session-id': id })
  }
}

export function asking(method: string, id: number, params: Fields = {}): RequestMessage {
  return { jsonrpc: '2.0', id, method, params }
}

export const refuse: Answering = (_, response) => plain(response, 405)
export const accept: Answering = (_, response) => plain(response, 202)

/** Answers requests with an empty result, and accepts the rest. */
export const answer: Answering = (seen, response) =>
  seen.body.id === undefined ? accept(seen, response) : json(response, result(seen, {}))

/** Answers with a status and nothing else. */
export function status(code: number, headers: Record<string, string> = {}): Answering {
  return (_, response) => void response.writeHead(code, headers).end()
}

/** Answers with a stream that consists of these events. */
export function streaming(...given: readonly string[]): Answering {
  return (_, response) => void events(response, ...given).end()
}

/** Answers each time with the next; the last one stays. */
export function inTurn(...answers: readonly Answering[]): Answering {
  let turn = 0
  return (seen, response) => answers[Math.min(turn++, answers.length - 1)]?.(seen, response)
}

export const isGet = ({ method }: Seen): boolean => method === 'GET'

export function sessionOf({ headers }: Seen): string | string[] | undefined {
  return headers['mcp-session-id']
}
