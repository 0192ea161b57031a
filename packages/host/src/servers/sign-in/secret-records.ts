import { createHash } from 'node:crypto'
import type { SecretStore } from '@trunkline/mcp/auth'
import type { ServerKey } from '../../act/server-key.ts'
import type { Secrets } from '../../config/secrets/secret-file.ts'

/** The credentials of one server among the secrets of the person; calls back when tokens or the like were kept. */
export function secretRecords(secrets: Secrets, server: ServerKey, onKept: () => void): SecretStore {
  const nameOf = (name: string): string =>
    `${prefixOf(server)}${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
  return {
    get: (name) => secrets.get(nameOf(name)),
    async set(name, secret) {
      await secrets.set(nameOf(name), secret)
      onKept()
    },
    delete: (name) => secrets.remove(nameOf(name)),
  }
}

/** Removes all credentials of a server. */
export async function removeRecords(secrets: Secrets, server: ServerKey): Promise<void> {
  const own = (await secrets.names()).filter((name) => name.startsWith(prefixOf(server)))
  for (const name of own) await secrets.remove(name)
}

function prefixOf(server: ServerKey): string {
  return `oauth.${server}.`
}
