import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'

/**
 * The servers that a rule such as `deny notes:@list` keeps from the lists of a principal, by their keys; the server of
 * the act itself is judged too.
 */
export function hiddenServers(
  act: Act,
  servers: readonly ServerKey[],
  mayList: (act: Act) => boolean,
): ReadonlySet<ServerKey> {
  const isHidden = (key: ServerKey): boolean => !mayList({ ...act, server: serverNameOf(key), serverKey: key })
  return new Set([act.serverKey, ...servers].filter(isHidden))
}
