import type { ApiRequest } from './build-request.ts'
import { causeOf } from './read-document.ts'

/** Answer of an API. */
export interface ApiResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** True if the body was longer than the kept part. */
  readonly isCut: boolean
}

/** Bytes of an answer that are read; the connection is ended after them. */
export const maxAnswerBytes = 4_194_304
const maxRedirects = 3

/** Sends a request and reads the answer; a redirect is followed only to the same origin, and only where nothing is changed. */
export async function sendRequest(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    const response = await attempt(request, url, signal)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null)
      return read(response)
    await response.body?.cancel()
    const next = new URL(location, url)
    if (next.origin !== request.url.origin)
      throw new Error(
        `Cannot go on to ${next.origin}: the API redirects there, and calls stay with ${request.url.origin}`,
      )
    if (!/^(?:GET|HEAD)$/.test(request.method) || redirects >= maxRedirects)
      throw new Error(
        `Cannot follow the API to ${next.pathname}: ${redirects >= maxRedirects ? 'it redirects on and on' : 'the call changes something'}`,
      )
    url = next
  }
}

async function attempt({ method, headers, body }: ApiRequest, url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body !== undefined && { body: body as BodyInit }),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(`Cannot reach ${url.origin}: ${causeOf(error)}`)
  }
}

async function read(response: Response): Promise<ApiResponse> {
  const chunks: Uint8Array[] = []
  let room = maxAnswerBytes
  let isCut = false
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk.subarray(0, room))
    isCut = chunk.length > room
    room -= Math.min(room, chunk.length)
    if (isCut) break
  }
  const { status, statusText, headers } = response
  return { status, statusText, headers, bytes: Buffer.concat(chunks), isCut }
}
