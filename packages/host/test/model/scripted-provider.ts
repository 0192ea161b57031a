/** A provider of language models on loopback, by a script: it checks requests, streams, fails, limits and hangs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicProblem, anthropicStream } from './anthropic-wire.ts'
import { openaiProblem, openaiStream } from './openai-wire.ts'

/** A call that the model wants made. */
export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly arguments: object
}

/** Reply of the provider to one request. */
export type ScriptedReply =
  | {
      /** Sent piece by piece. */
      readonly text?: readonly string[]
      readonly calls?: readonly ScriptedCall[]
      readonly stop?: string
      readonly tokens?: { readonly input: number; readonly output: number }
      /** Sends the text, and then nothing more. */
      readonly thenHang?: boolean
      /** Waits before it streams. */
      readonly until?: Promise<unknown>
    }
  | { readonly status: number; readonly message: string; readonly headers?: { readonly [name: string]: string } }
  | 'hang'
  | 'drop'

/** A request as it came. */
export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly [field: string]: unknown }
  /** Resolves when the connection was ended by the other side. */
  readonly closed: Promise<void>
}

export interface ScriptedProvider extends AsyncDisposable {
  /** The base of both interfaces. */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Adds to the script; requests after its end are answered with 500. */
  say(...replies: readonly ScriptedReply[]): void
  /** Begins another script, and forgets what came so far. */
  begin(...replies: readonly ScriptedReply[]): void
  /** Resolves when so many requests came. */
  count(requests: number): Promise<void>
}

/** The key that the provider takes. */
export const providerKey = 'sk-test-0123456789abcdef0123'

/** Starts a provider. */
export async function scriptedProvider(...script: readonly ScriptedReply[]): Promise<ScriptedProvider> {
  const replies = [...script]
  const seen: SeenRequest[] = []
  const waiting: { readonly requests: number; resolve(): void }[] = []
  const http = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request))
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    seen.push({ path: request.url ?? '', headers: request.headers, body, closed })
    for (const { requests, resolve } of waiting) if (seen.length >= requests) resolve()
    const isAnthropic = request.url === '/v1/messages'
    const problem = isAnthropic ? anthropicProblem(request.headers, body) : openaiProblem(request.headers, body)
    if (problem) return fail(response, problem.status, problem.message)
    await play(replies.shift(), response, isAnthropic ? anthropicStream : openaiStream)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    seen,
    say: (...more) => void replies.push(...more),
    begin(...others) {
      replies.splice(0, replies.length, ...others)
      seen.length = 0
    },
    count: (requests) =>
      new Promise((resolve) => {
        if (seen.length >= requests) resolve()
        else waiting.push({ requests, resolve })
      }),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Both wires tell a reply as data events. */
type Stream = (reply: Exclude<ScriptedReply, string | { status: number }>) => readonly string[]

async function play(reply: ScriptedReply | undefined, response: ServerResponse, stream: Stream): Promise<void> {
  if (reply === undefined) return fail(response, 500, 'the script is over')
  if (reply === 'hang') return
  if (reply === 'drop') return void response.destroy()
  if ('status' in reply) return fail(response, reply.status, reply.message, reply.headers)
  await reply.until
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of stream(reply)) {
    response.write(event)
    // each piece is a chunk of its own
    await new Promise(setImmediate)
  }
  if (!reply.thenHang) response.end()
}

function fail(
  response: ServerResponse,
  status: number,
  message: string,
  headers: { readonly [name: string]: string } = {},
): void {
  const body = { type: 'error', error: { type: 'error', message } }
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
