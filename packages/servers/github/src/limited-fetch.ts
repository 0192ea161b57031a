import type { GithubLimits } from './github-limits.ts'

/** A fetch within a time that reads at most a number of bytes; a longer answer becomes one with status 413. */
export function limitedFetch({ maxAnswerBytes, maxRequestMs }: GithubLimits): typeof fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(maxRequestMs)
    const response = await fetch(input, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
    })
    const { status, statusText, headers, url } = response
    if (response.body === null || [204, 205, 304].includes(status)) return response
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > maxAnswerBytes) return new Response(null, { status: 413 })
      chunks.push(chunk)
    }
    const read = new Response(Buffer.concat(chunks), { status, statusText, headers })
    // pages are found by the address of the answer
    Object.defineProperty(read, 'url', { value: url })
    return read
  }
}
