import { type ServerKey, serverKey } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Host } from '../assembly/host.ts'

/** The key of a server by its name; the key that one of the person's own would have where no server, or more than one, has it. */
export function knownKey(host: Pick<Host, 'keyOf'>, server: ServerName | ServerKey): ServerKey {
  try {
    return host.keyOf(server)
  } catch {
    return serverKey(server as ServerName)
  }
}
