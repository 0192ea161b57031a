import { AuthError } from './auth-error.ts'

/** Reads a whole response, up to the limit. */
export async function readResponseBody(response: Response, maxBytes: number, action: string): Promise<Response> {
  const { status, headers } = response
  const reader = response.body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new AuthError('limit', `Cannot ${action}: the answer is larger than ${maxBytes} bytes`)
    }
    chunks.push(value)
  }
  const body = status === 204 || status === 205 || status === 304 ? null : new Blob(chunks)
  return new Response(body, { status, headers })
}

/** The JSON object in a response; undefined when it contains something else. */
export async function jsonObjectOf(response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
