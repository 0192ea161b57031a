import type { ServerKey } from '../../act/server-key.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { compareWithLock, type LockFinding, type OfferNow, type ServerNow } from './compare.ts'
import type { LockedProgram } from './locked-server.ts'
import type { LockableServer, Lockfiles } from './lockfiles.ts'

/** Dependencies of comparing servers with their locks. */
export interface VerifyParts {
  readonly lockfiles: Lockfiles
  /** Current offers of a server, or the reason why they are unknown. */
  offersOf(server: LockableServer): Promise<readonly OfferNow[] | string>
  programOf(server: ServerKey): LockedProgram | undefined
}

/** Compares every server with the lock of its layer; one that cannot be asked is said to be so. */
export async function verifyLocks({ lockfiles, offersOf, programOf }: VerifyParts): Promise<readonly LockFinding[]> {
  const layers = await lockfiles.read()
  const findings = layers.map(async ({ lock, servers }) => {
    const now = servers.map(
      async (server): Promise<ServerNow> => ({
        name: server.name,
        entry: server.entry,
        ...programOf(server.key),
        offers: await offersOf(server),
      }),
    )
    return compareWithLock(lock, await Promise.all(now))
  })
  return (await Promise.all(findings)).flat()
}

/** Offers of a server that the catalogue knows at the moment. */
export function offersInCatalogue(catalogue: Catalogue, server: ServerKey): readonly OfferNow[] {
  return catalogue.review(server).flatMap(({ kind, original, offeredHash: hash, class: decided }) => {
    return hash === undefined ? [] : [{ kind, original, hash, class: decided }]
  })
}
