import { McpError } from '../../../wire/errors.ts'
import { GrowingBuffer } from '../../growing-buffer.ts'
import { mediaTypeOf } from '../media-type.ts'
import type { HttpResponse } from './http-response.ts'

/** Milliseconds a server gets to end a response by itself, so that its connection can be used again. */
const lingerMs = 1_000
const mostDiscarded = 65_536

/** The media type that a response says it has. */
export function typeOf({ headers }: HttpResponse): string | undefined {
  return mediaTypeOf(headers.get('content-type') ?? undefined)
}

/** The text of a response; throws as soon as there is more of it than may be. */
export async function readText({ body }: HttpResponse, maxBytes: number): Promise<string> {
  const arrived = new GrowingBuffer(maxBytes)
  for await (const chunk of chunksOf(body)) {
    if (arrived.length + chunk.length > maxBytes) {
      throw new McpError('TooLarge', `Cannot read an answer: it is larger than ${maxBytes} bytes`, {
        outcome: 'Unknown',
      })
    }
    arrived.adopt(chunk)
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

/** Lets go of a response that nobody wants to read. */
export async function discard({ body }: HttpResponse): Promise<void> {
  let size = 0
  try {
    for await (const chunk of chunksOf(body, () => true)) {
      size += chunk.length
      if (size > mostDiscarded) break
    }
  } catch {
    // it was of no interest
  }
}

/** What a response consists of; from when it `isEnough`, it must end soon. Leaving the loop lets go of it. */
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
