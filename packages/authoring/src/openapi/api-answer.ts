import { type ContentBlock, embed, image, type Reply, reply, text } from '@trunkline/mcp'
import type { RetryHint } from '@trunkline/mcp/contract'
import { describeProblems, type Validate } from '@trunkline/mcp/json-schema'
import type { ApiResponse } from './send-request.ts'

/** Makes a result of an answer: what the API says is wrong is a failure, with when to try again. */
export function apiResult(response: ApiResponse, output: Validate | undefined): Reply {
  const { status } = response
  const { body, content } = readContent(response)
  const retry = retryOf(response)
  const structured = {
    status,
    ...(body !== undefined && { body }),
    ...(retry?.afterMs !== undefined && { retryAfterSeconds: retry.afterMs / 1_000 }),
  }
  if (status >= 400 || status < 200) {
    const said = `The API answered ${status} ${response.statusText}`.trimEnd() + (retry ? `: ${tryAgain(retry)}` : '')
    return reply([text(said), ...content], {
      structured,
      isError: true,
      ...(retry && { meta: { 'dev.trunkline/contract': { retry } } }),
    })
  }
  if (response.isCut)
    return reply([text(`The answer is longer than ${response.bytes.length} bytes; ask for less`), ...content], {
      isError: true,
    })
  const problems = output?.(structured) ?? []
  if (problems.length === 0)
    return reply(content.length > 0 ? content : [text(`${status} ${response.statusText}`)], { structured })
  const said = `The API answered what its description does not allow: ${describeProblems(problems.slice(0, 5))}`
  return reply([text(said), ...content], { structured, isError: true })
}

/** Hint whether and when the same call may succeed. */
function retryOf({ status, headers }: ApiResponse): RetryHint | undefined {
  if (status !== 429 && status < 500) return undefined
  const written = headers.get('retry-after')
  const kind = status === 429 ? ('rateLimited' as const) : ('transient' as const)
  if (written === null) return { class: kind }
  const ms = /^\d+$/.test(written.trim()) ? Number(written) * 1_000 : Date.parse(written) - Date.now()
  return Number.isFinite(ms) ? { class: kind, afterMs: Math.max(0, Math.round(ms)) } : { class: kind }
}

function tryAgain({ afterMs }: RetryHint): string {
  if (afterMs === undefined) return 'try again later; it does not say when'
  return `try again in ${Math.ceil(afterMs / 1_000)} seconds`
}

/** Content of a body: a value, text, or bytes. */
export function readContent({ headers, bytes, isCut }: ApiResponse): {
  readonly body?: unknown
  readonly content: readonly ContentBlock[]
} {
  if (bytes.length === 0) return { content: [] }
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'
  const written = textIn(bytes, type, isCut)
  if (written === undefined)
    return { content: [type.startsWith('image/') ? image(bytes, type) : embed('openapi:answer', bytes, type)] }
  try {
    if (/[/+]json$/.test(type)) return { body: JSON.parse(written), content: [text(written)] }
  } catch {
    // it says that it is JSON
  }
  return { body: written, content: [text(written)] }
}

function textIn(bytes: Uint8Array, type: string, isCut: boolean): string | undefined {
  if (!/^text\/|json|xml|yaml|javascript|urlencoded/.test(type)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}
