import { randomHex } from './random-hex.ts'

/** The time of the newest id, and how it is written. */
let newest = 0
let timeText = ''
/** Ids of that millisecond. */
let count = 0

/**
 * A new id of an act: a UUID that begins with the time and counts within a millisecond (version 7). Acts that are
 * recorded together stand next to each other in an index, so that they are written to the same pages.
 */
export function newActId(): string {
  const now = Date.now()
  if (now !== newest) {
    newest = now
    count = 0
    const digits = now.toString(16).padStart(12, '0')
    timeText = `${digits.slice(0, 8)}-${digits.slice(8)}`
  }
  const counted = (count++ % 0x1000).toString(16).padStart(3, '0')
  const random = randomHex(16)
  const variant = '89ab'[Number.parseInt(random.slice(0, 1), 16) % 4]
  return `${timeText}-7${counted}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}

/** The id of an act as the id of its span in a trace, by the part of it that no other act shares. */
export function spanOf(act: string): string {
  return `${act.slice(-17, -13)}${act.slice(-12)}`
}
