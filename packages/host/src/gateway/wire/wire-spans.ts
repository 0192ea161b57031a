import type { ServerName } from '../../act/server-name.ts'
import type { Hop, WireItem, WireMessage } from './wire-item.ts'

/** Something that took a time, as part of an act. */
export interface WireSpan {
  readonly act: string
  readonly server: ServerName
  readonly hop: Hop
  /**
   * `round`: a request of the caller; `request`: one to the server; `retry`: the same once more; `question`: the server
   * asks; `http`: a request of HTTP.
   */
  readonly kind: 'round' | 'request' | 'retry' | 'question' | 'http'
  readonly name: string
  /** Time as in `Date.now()`. */
  readonly from: number
  /** Missing while it goes on. */
  readonly to?: number
  readonly isError: boolean
}

/** The spans of messages: each request until its answer. */
export function wireSpans(items: readonly WireItem[]): readonly WireSpan[] {
  const ends = new Map<string, WireMessage>()
  for (const item of items) {
    if (item.kind === 'message' && item.method === undefined) ends.set(keyOf(item, opposite(item.direction)), item)
  }
  const sent = new Set<string>()
  return items.flatMap((item): WireSpan[] => {
    if (item.kind === 'http') return [httpSpan(item)]
    if (item.method === undefined || item.id === undefined) return []
    const end = ends.get(keyOf(item, item.direction))
    const asked = `${item.act} ${item.hop} ${item.method}`
    const isAgain = sent.has(asked) && !item.isLaterRound
    if (isRequest(item)) sent.add(asked)
    const { act, server, hop, at, method } = item
    return [
      {
        ...{ act, server, hop, from: at, name: method },
        kind: kindOf(item, isAgain),
        ...(end && { to: end.at }),
        isError: end?.isError ?? false,
      },
    ]
  })
}

function httpSpan({ act, server, hop, at, ms, method, url, status }: WireItem & { readonly kind: 'http' }): WireSpan {
  const name = `${method} ${url} ${status}`
  return { act, server, hop, kind: 'http', name, from: at, to: at + ms, isError: status >= 400 }
}

function kindOf(item: WireMessage, isAgain: boolean): WireSpan['kind'] {
  if (!isRequest(item)) return 'question'
  if (item.hop === 'caller') return 'round'
  return isAgain ? 'retry' : 'request'
}

/** True if it goes from the caller toward the server, and not the other way. */
function isRequest({ hop, direction }: WireMessage): boolean {
  return hop === 'caller' ? direction === 'received' : direction === 'sent'
}

function keyOf({ act, hop, connection, id }: WireMessage, asked: WireMessage['direction']): string {
  return JSON.stringify([act, hop, connection, asked, id])
}

function opposite(direction: WireMessage['direction']): WireMessage['direction'] {
  return direction === 'sent' ? 'received' : 'sent'
}
