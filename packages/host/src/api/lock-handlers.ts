import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import { knownChanges } from '../catalogue/changed-offers.ts'
import { offersInCatalogue, verifyLocks } from '../trust/lockfile/verify.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Handlers of locks, of their comparison with the current offers, and of updates. */
export function lockHandlers(
  parts: ApiParts,
): Pick<Handlers, 'diff' | 'lock' | 'verifyLock' | 'outdated' | 'planUpdate' | 'update'> {
  const { catalogue, lockfiles, updates } = parts
  return {
    async diff({ server }) {
      const keys = parts
        .specs()
        .map(({ name }) => name)
        .filter((key) => server === undefined || key === server || serverNameOf(key) === server)
      if (server !== undefined && keys.length === 0) throw new ApiError(404, `There is no server "${server}"`)
      const asked = await Promise.all(keys.map(async (name) => ({ name, problem: await problemOf(parts, name) })))
      return {
        items: asked.flatMap(({ name }) =>
          knownChanges(catalogue.review(name)).map((change) => ({ ...change, server: serverNameOf(name) })),
        ),
        cannotTell: asked.flatMap(({ name, problem }) =>
          problem === undefined ? [] : [{ server: serverNameOf(name), why: problem }],
        ),
      }
    },
    async lock() {
      const written = await lockfiles.write()
      return { items: written.map(({ file, servers, isChanged }) => ({ file, servers: [...servers], isChanged })) }
    },
    async verifyLock() {
      const findings = await verifyLocks({
        lockfiles,
        programOf: (server) => parts.programs.lockedOf(server),
        offersOf: async ({ key }) => (await problemOf(parts, key)) ?? offersInCatalogue(catalogue, key),
      })
      return { items: [...findings] }
    },
    outdated: async () => ({ items: [...(await updates.outdated())] }),
    planUpdate: ({ server }) => refusable(() => updates.plan(parts.keyOf(server))),
    update: ({ server, digest }) => refusable(() => updates.update(parts.keyOf(server), digest)),
  }
}

/** Asks a server for its offers; returns the reason if it cannot be asked. */
async function problemOf({ isAccepted, learn }: ApiParts, server: ServerKey): Promise<string | undefined> {
  if (!isAccepted(server)) return 'was not accepted, so it is not started'
  try {
    await learn(server)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Answers 409 if an update fails, which is no fault of the host. */
async function refusable<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new ApiError(409, error instanceof Error ? error.message : String(error))
  }
}
