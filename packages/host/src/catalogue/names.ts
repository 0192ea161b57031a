import { createHash } from 'node:crypto'
import type { ServerName } from '../act/server-name.ts'
import { isServerName } from '../act/server-name.ts'

/** Clients put a prefix of their own in front and count to 60 or 64. */
export const maxAggregateNameLength = 44

/** Separator between the server's name and the tool's. */
const separator = '__'
const legalName = /^[A-Za-z0-9_-]+$/

/**
 * The name of a server's tool or prompt in the aggregate. It depends on nothing but the two, so it never changes because
 * another server came or went, and no two pairs share one: a name that cannot stay as it is carries a digest of both.
 */
export function aggregateName(server: ServerName, original: string): string {
  const plain = `${server}${separator}${original}`
  if (isKept(server, original, plain)) return plain
  const mark = `_${digestOf([server, original])}`
  const readable = plain.replace(/[^A-Za-z0-9_-]+/g, '_')
  return readable.slice(0, maxAggregateNameLength - mark.length) + mark
}

/** A name stays only when nothing else can lead to it: it must not itself look like one with a digest. */
function isKept(server: ServerName, original: string, plain: string): boolean {
  return (
    plain.length <= maxAggregateNameLength &&
    isServerName(server) &&
    legalName.test(original) &&
    !/_[0-9a-f]{8}$/.test(original)
  )
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
}
