import { createHash } from 'node:crypto'

/**
 * What a server is known by inside the host: its configured name, with a mark of the project where it is one of a
 * project. Two projects may so have servers of the same name.
 */
export function serverKey(name: string, project: string | undefined): string {
  return project === undefined ? name : `${name}@${createHash('sha256').update(project).digest('hex').slice(0, 8)}`
}

/** The key of the copy of a server that one caller has for itself. */
export function copyKey(key: string, caller: string): string {
  return `${key}#${caller}`
}

/** The configured name of a server, which is what people, rules and callers know it by. */
export function serverNameOf(key: string): string {
  return /^[^@#]*/.exec(key)?.[0] ?? key
}
