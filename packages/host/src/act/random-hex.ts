import { randomBytes } from 'node:crypto'

const bytesAtOnce = 1_024
let drawn = ''
let used = 0

/** Random hex digits. They are drawn from the system for many acts at once, because each needs some. */
export function randomHex(digits: number): string {
  if (used + digits > drawn.length) {
    drawn = randomBytes(bytesAtOnce).toString('hex')
    used = 0
  }
  used += digits
  return drawn.slice(used - digits, used)
}
