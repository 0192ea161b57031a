import { redact } from '@trunkline/host/text'
import type { Message } from '@trunkline/mcp/client'
import { visibleJson } from '../output/json.ts'
import { type Line, styled } from '../output/span.ts'
import type { WireDirection } from '../session/wire-tap.ts'

/** One message as scripts get it: when it passed, which way, and what it was, without secrets. */
export interface WireRecord {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly direction: WireDirection
  readonly message: unknown
}

/** Record of a message, without secrets. */
export function wireRecord(direction: WireDirection, message: Message, at: number): WireRecord {
  return { at: Math.round(at * 10) / 10, direction, message: redact(message) }
}

/** One message as people read it: `→ 3 tools/call {"name":"add"}`. */
export function wireLine({ at, direction, message }: WireRecord): Line {
  const { id, method, params, result, error } = message as { readonly [member: string]: unknown }
  const arrow = direction === 'sent' ? styled('good', '→') : styled('name', '←')
  const time = styled('faint', `${(at / 1000).toFixed(3).padStart(8)} `)
  const name = id === undefined ? '' : ` ${visibleJson(id)}`
  if (method !== undefined) return [time, arrow, name, ' ', styled('strong', String(method)), bodyText(params)]
  if (error !== undefined) return [time, arrow, name, ' ', styled('bad', 'error'), bodyText(error)]
  return [time, arrow, name, ' result', bodyText(result)]
}

function bodyText(body: unknown): string {
  return body === undefined ? '' : ` ${visibleJson(body)}`
}
