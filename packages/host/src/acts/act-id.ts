import { randomHex } from './random-hex.ts'

/**
 * A new id of an act: a UUID that begins with the time (version 7). Ids that are near in time are near in an index, so
 * that acts that are recorded together are written to the same pages.
 */
export function newActId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomHex(19)
  const variant = '89ab'[Number.parseInt(random.slice(0, 1), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7)}`
}

/** The id of an act as the id of its span in a trace, by the part of it that no other act shares. */
export function spanOf(act: string): string {
  return `${act.slice(-17, -13)}${act.slice(-12)}`
}
