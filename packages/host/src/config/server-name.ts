import { createHash } from 'node:crypto'

const legalServerName = /^[a-z0-9-]+$/

/** A legal server name made of any text; it is made once and then stored. */
export function slugOf(name: string): string {
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

/** Whether a server may be configured under this name as it is. */
export function isServerName(name: string): boolean {
  return legalServerName.test(name)
}
