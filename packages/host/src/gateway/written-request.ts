import { connect, type Fields, type HttpRequestInit } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import type { Relay } from '@trunkline/mcp/relay'
import type { Principal } from '../act/act.ts'
import { admitted } from './http-front.ts'

/** A request of a client, as it goes over HTTP. */
export interface WrittenRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A call that is written down. */
export interface WrittenCall {
  readonly url: string
  readonly principal: Principal
  readonly tool: string
  readonly arguments: Fields
}

/** The request with which a client calls a tool; it is written down in the place of being sent, so nothing is called. */
export async function writtenRequest(front: Relay, call: WrittenCall): Promise<WrittenRequest | undefined> {
  const auth = { documents: new Map<string, string>(), authenticate: async () => admitted(call.principal, {}) }
  const serve = toFetch(front, { auth })
  let written: WrittenRequest | undefined
  const fetch = async (url: string, init: HttpRequestInit): Promise<Response> => {
    if (!isCall(init)) return serve(new Request(url, init))
    written = { url, headers: init.headers, body: init.body ?? '' }
    throw new Error('It was written down')
  }
  await using client = await connect(new URL(call.url), { http: { fetch } })
  await client.tools.call(call.tool, call.arguments).catch(() => {})
  return written
}

function isCall({ body = '{}' }: HttpRequestInit): boolean {
  return (JSON.parse(body) as Fields).method === 'tools/call'
}
