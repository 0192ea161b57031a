import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import type { Openings } from './openings.ts'
import type { WireItem, WireMessage } from './wire-item.ts'

/** The form of a recording, as `trunkline record` writes it and `trunkline replay` plays it: JSON, line by line. */
export function wireRecording(openings: Openings | undefined, items: readonly WireItem[]): readonly string[] {
  const passed = items.filter((item): item is WireMessage => item.kind === 'message' && item.hop === 'server')
  const begun = passed[0]?.at ?? Date.now()
  const opening = (openings?.messages ?? []).map(({ direction, message }) =>
    line(0, direction, redact(apart(message as unknown as Fields, 'opening'))),
  )
  const calls = passed.map(({ at, direction, connection, text }) =>
    line(at - begun, direction, apart(JSON.parse(text), connection)),
  )
  const head = { recording: 'trunkline', format: 1, begun: new Date(begun).toISOString() }
  return [JSON.stringify(head), ...opening, ...calls]
}

function line(at: number, direction: string, message: unknown): string {
  return JSON.stringify({ at, direction, message })
}

/** Connections count their ids anew; here each is the only one. */
function apart(message: Fields, connection: string): Fields {
  return message.id === undefined ? message : { ...message, id: `${connection}-${message.id}` }
}
