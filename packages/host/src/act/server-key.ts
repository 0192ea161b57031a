import { createHash } from 'node:crypto'
import type { ServerName, ServerText } from './server-name.ts'

/**
 * The identity of a server inside the host: its name, with a mark of the project where it is one of a project, and of
 * the caller where it is a caller's copy. Two projects may so have servers of the same name. All that is kept of a
 * server is kept by its key, so a {@link ServerName} does not compile where a key is wanted.
 */
export type ServerKey = ServerText<'key'>

/** The key of a server of a project, or of the person where there is no project. */
export function serverKey(name: ServerName, project?: string): ServerKey {
  const key = project === undefined ? name : `${name}@${createHash('sha256').update(project).digest('hex').slice(0, 8)}`
  return key as string
}

/** The key of the copy of a server that one caller has for itself. */
export function copyKey(key: ServerKey, caller: string): ServerKey {
  return `${key}#${caller}`
}

/** The key of the server that a copy is one of; the key itself for any other. */
export function baseKey(key: ServerKey): ServerKey {
  return key.replace(/#.*$/s, '')
}

/** The configured name of a server. */
export function serverNameOf(key: ServerKey): ServerName {
  return /^[^@#]*/.exec(key)?.[0] ?? ''
}

/** True if a server is one of a project, or a caller's copy, rather than one of the person's own. */
export function isMarked(key: ServerKey): boolean {
  return /[@#]/.test(key)
}
