import { redact } from '@trunkline/host/text'
import { canonicalJson } from '@trunkline/mcp'
import type { Fields } from '@trunkline/mcp/client'
import type { WireRecord } from './wire-line.ts'

type WireMessage = { readonly [member: string]: unknown }

/** One request that was recorded: what came while it was under way, and how it was answered. */
export interface RecordedRequest {
  readonly method: string
  readonly params: Fields
  /** Notifications and questions of the server, in order. */
  readonly during: readonly WireMessage[]
  /** The `result` or the `error`; undefined when the recording ends before. */
  readonly answer: WireMessage | undefined
}

/** The requests of a recording, in the order in which they were made. */
export function recordedRequests(records: readonly WireRecord[]): readonly RecordedRequest[] {
  return records.flatMap(({ direction, message }, at): RecordedRequest[] => {
    const { id, method, params = {} } = message as WireMessage
    if (direction !== 'sent' || id === undefined || typeof method !== 'string') return []
    const later = records.slice(at + 1).filter((record) => record.direction === 'received')
    const end = later.findIndex((record) => isAnswer(record.message as WireMessage, id))
    const token = ((params as Fields)._meta as Fields | undefined)?.progressToken
    const during = later
      .slice(0, end < 0 ? undefined : end)
      .map((record) => record.message as WireMessage)
      .filter((one) => one.method !== undefined && belongs(one, token))
    return [{ method, params: params as Fields, during, answer: later[end]?.message as WireMessage | undefined }]
  })
}

function isAnswer(message: WireMessage, id: unknown): boolean {
  return message.method === undefined && message.id === id
}

function belongs({ method, params }: WireMessage, token: unknown): boolean {
  return method !== 'notifications/progress' || (params as Fields | undefined)?.progressToken === token
}

/** Key that tells requests apart: method and params, without the caller's metadata. */
export function keyOf(method: string, params: Fields): string {
  if (openings.has(method)) return method
  const { _meta, ...own } = params
  // secrets are not in the recording
  return `${method} ${canonicalJson(redact(own))}`
}

const openings: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'ping'])
