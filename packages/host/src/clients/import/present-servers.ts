import type { EffectiveConfig } from '../../config/effective.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import type { Secrets } from '../../config/secrets/secret-file.ts'

/**
 * The servers that are configured, with secrets in the place of references to them: a server whose secret was moved aside is
 * still the one that another client has.
 */
export async function presentServers(
  { servers }: Pick<EffectiveConfig, 'servers'>,
  secrets: Pick<Secrets, 'get' | 'names'>,
): Promise<ReadonlyMap<string, ServerEntry>> {
  const values = new Map<string, string>()
  for (const name of await secrets.names()) values.set(name, (await secrets.get(name)) ?? '')
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/\$\{secret:([\w.-]+)\}|^secret:([\w.-]+)$/g, (text, braced, plain) => {
        return values.get(braced ?? plain) ?? text
      })
    }
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]))
  }
  return new Map(servers.map(({ name, entry }) => [name, replaced(entry) as ServerEntry]))
}
