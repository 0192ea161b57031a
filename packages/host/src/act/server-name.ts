import { createHash } from 'node:crypto'

declare const kind: unique symbol

/** Text that stands for a server; names and keys do not compile as each other, and plain text compiles as both. */
export type ServerText<Kind extends 'name' | 'key'> = string & { readonly [kind]?: Kind }

/** The configured name of a server, for people, rules and callers. */
export type ServerName = ServerText<'name'>

const legalServerName = /^[a-z0-9-]+$/

/** A legal server name made of any text; it is made once and then stored. */
export function slugOf(name: string): ServerName {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24)
    .replace(/-+$/, '')
  if (slug !== '') return slug
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `server-${digest}`
}

/** True if a server may be configured under this name as it is. */
export function isServerName(name: string): name is ServerName {
  return legalServerName.test(name)
}
