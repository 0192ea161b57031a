import type { Filter } from '../../../../tools/lib/tcp-proxy.ts'

/** Type of the message by which the server tells of a notification. */
const notification = 'A'.charCodeAt(0)
/** A message is its type, its length without the type, and the rest. */
const headLength = 5

/** A filter that drops what was notified, as a pooler does that gives each transaction another connection. */
export function dropNotifications(): Filter {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const passed: Buffer[] = []
    while (rest.length >= headLength) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) break
      if (rest[0] !== notification) passed.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return Buffer.concat(passed)
  }
}
