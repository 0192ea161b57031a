import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import { McpError } from '../../../wire/errors.ts'
import { mediaTypeOf } from '../media-type.ts'
import type { HttpResponse } from './http-response.ts'

/** Milliseconds that a server gets to end a response, so that its connection can be reused. */
const lingerMs = 1_000
const mostDiscarded = 65_536

/** The media type of a response. */
export function typeOf({ headers }: HttpResponse): string | undefined {
  return mediaTypeOf(headers.get('content-type') ?? undefined)
}

/** Reads the text of a response; throws as soon as it exceeds the limit. */
export async function readText({ body }: HttpResponse, maxBytes: number): Promise<string> {
  const arrived = new GrowingBuffer(maxBytes)
  const reader = body?.getReader()
  // not through `chunksOf`: every answer is read here, and an async generator costs more than the reading
  for (let piece = await reader?.read(); piece?.value && !piece.done; piece = await reader?.read()) {
    if (arrived.length + piece.value.length > maxBytes) {
      reader?.cancel().catch(() => {})
      throw new McpError('TooLarge', `Cannot read an answer: it is larger than ${maxBytes} bytes`, {
        outcome: 'Unknown',
      })
    }
    arrived.adopt(piece.value)
  }
  return decode(arrived.take())
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new McpError('InvalidResponse', 'Cannot read an answer: it is not UTF-8', { outcome: 'Unknown', cause })
  }
}

/** Discards a response. */
export async function discard({ body }: HttpResponse): Promise<void> {
  let size = 0
  try {
    for await (const chunk of chunksOf(body, () => true)) {
      size += chunk.length
      if (size > mostDiscarded) break
    }
  } catch {
    // ignored: the response is discarded
  }
}

/** The chunks of a response; once it `isEnough`, it must end soon. Leaving the loop discards the rest. */
export async function* chunksOf(body: HttpResponse['body'], isEnough = () => false): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  let linger: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => void reader.cancel().catch(() => {})
  try {
    for (;;) {
      if (isEnough()) linger ??= setTimeout(cancel, lingerMs)
      const { done, value } = await reader.read()
      if (done || !value) return
      yield value
    }
  } finally {
    clearTimeout(linger)
    cancel()
  }
}
