import type { Id } from '../../wire/messages.ts'

/** The id and kind of a message that was not parsed. */
export interface PeekedMessage {
  readonly id: Id
  readonly isResponse: boolean
}

const version = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`
const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,99}")\s*`
const opening = new RegExp(
  String.raw`^\s*\{\s*(?:${version},\s*)?(?:${id},\s*)?(?:${version},\s*)?"(method|result|error)"`,
)
const ending = new RegExp(String.raw`,\s*${id}(?:,\s*${version})?\}\s*$`)

// enough for an id, and short enough to search
const endLength = 256

/** Finds the id and kind at the ends of a long message, where serialisers write them. */
export function peekMessage(head: string, tail: string): PeekedMessage | undefined {
  const [start, early, kind] = opening.exec(head) ?? []
  const found = early ?? ending.exec(tail.slice(-endLength))?.[1]
  if (start === undefined || found === undefined) return undefined
  try {
    return { id: JSON.parse(found), isResponse: kind !== 'method' }
  } catch {
    return undefined
  }
}
