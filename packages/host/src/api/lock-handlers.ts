import type { ReviewedEntry } from '../catalogue/catalogue.ts'
import { definitionDiff } from '../catalogue/definition-diff.ts'
import { offersInCatalogue, verifyLocks } from '../lockfile/verify.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

type DefinitionChange = RouteAnswer<'diff'>['items'][number]

/** Locks, and what servers offer now against what was accepted. */
export function lockHandlers(parts: ApiParts): Pick<Handlers, 'diff' | 'lock' | 'verifyLock'> {
  const { catalogue, lockfiles } = parts
  return {
    async diff({ server }) {
      const names = parts.specs().map(({ name }) => name)
      if (server !== undefined && !names.includes(server)) throw new ApiError(404, `There is no server "${server}"`)
      const asked = await Promise.all(
        names
          .filter((name) => server === undefined || name === server)
          .map(async (name) => ({ name, problem: await problemOf(parts, name) })),
      )
      return {
        items: asked.flatMap(({ name }) => catalogue.review(name).flatMap((entry) => changeOf(entry))),
        cannotTell: asked.flatMap(({ name, problem }) =>
          problem === undefined ? [] : [{ server: name, why: problem }],
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
        programOf: () => undefined,
        offersOf: async ({ name }) => (await problemOf(parts, name)) ?? offersInCatalogue(catalogue, name),
      })
      return { items: [...findings] }
    },
  }
}

/** Asks a server what it offers; returns why that cannot be known. */
async function problemOf({ isAccepted, learn }: ApiParts, server: string): Promise<string | undefined> {
  if (!isAccepted(server)) return 'was not accepted, so it is not started'
  try {
    await learn(server)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function changeOf(entry: ReviewedEntry): readonly DefinitionChange[] {
  const { server, kind, original: name, standing, offered, offeredHash, hash, definition, findings } = entry
  const about = { server, kind, name, class: entry.class, findings: findings.map(({ at, why }) => `${at} ${why}`) }
  if (standing === 'new') {
    const differences = definitionDiff({}, offered ?? {}).map(({ why: _, ...rest }) => rest)
    return [{ ...about, change: 'new', differences }]
  }
  if (offeredHash === hash) return []
  if (offeredHash === undefined) return [{ ...about, change: 'gone', findings: [], differences: [] }]
  const differences = definitionDiff(definition, offered ?? {}).map(({ why: _, ...rest }) => rest)
  return [{ ...about, change: 'changed', differences }]
}
