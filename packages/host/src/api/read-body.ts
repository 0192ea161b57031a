import type { IncomingMessage } from 'node:http'
import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import { ApiError } from './api-error.ts'

/** The maximum size of a request body. */
const maxBodyBytes = 4 * 1024 ** 2

/** Reads the body of a request as JSON. */
export async function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  // a form of another page cannot send this type
  if (!/^application\/json\b/i.test(type)) throw new ApiError(415, 'The body must be application/json')
  // refused before anything is read, so that the answer arrives
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
  const body = new GrowingBuffer()
  for await (const piece of request as AsyncIterable<Buffer>) {
    if (body.length + piece.length > maxBytes) throw tooLarge(maxBytes)
    body.add(piece)
  }
  try {
    return JSON.parse(body.takeText())
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(413, `The body is larger than ${maxBytes} bytes`)
}
