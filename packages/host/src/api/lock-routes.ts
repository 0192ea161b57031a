import { z } from 'zod'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { knownChanges } from '../catalogue/changed-offers.ts'
import { offersInCatalogue, verifyLocks } from '../trust/lockfile/verify.ts'
import { ApiError } from './api-error.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'

/** Routes of locks, of their comparison with the current offers, and of updates. */
export const lockRoutes = {
  diff: route({
    method: 'GET',
    path: '/api/diff',
    needs: 'nothing',
    says: 'What servers offer now against what was accepted; only what differs',
    query: z.strictObject({ server: z.string().optional() }),
    answer: z.object({ items: z.array(s.definitionChange), cannotTell: z.array(s.cannotTell) }),
    async handle({ server }, { host }) {
      const keys = host.specs
        .map(({ name }) => name)
        .filter((key) => server === undefined || key === server || serverNameOf(key) === server)
      if (server !== undefined && keys.length === 0) throw new ApiError(404, `There is no server "${server}"`)
      const asked = await Promise.all(keys.map(async (name) => ({ name, problem: await problemOf(host, name) })))
      return {
        items: asked.flatMap(({ name }) =>
          knownChanges(host.catalogue.review(name)).map((change) => ({ ...change, server: serverNameOf(name) })),
        ),
        cannotTell: asked.flatMap(({ name, problem }) =>
          problem === undefined ? [] : [{ server: serverNameOf(name), why: problem }],
        ),
      }
    },
  }),
  lock: route({
    method: 'POST',
    path: '/api/lock',
    needs: 'nothing',
    says: 'Writes what was accepted into the lock of each layer',
    answer: s.list(z.object({ file: z.string(), servers: z.array(z.string()), isChanged: z.boolean() })),
    async handle(_input, { lockfiles }) {
      const written = await lockfiles.write()
      return { items: written.map(({ file, servers, isChanged }) => ({ file, servers: [...servers], isChanged })) }
    },
  }),
  verifyLock: route({
    method: 'GET',
    path: '/api/lock/verify',
    needs: 'nothing',
    says: 'How what servers are and offer now compares with the locks',
    answer: s.list(s.lockFinding),
    async handle(_input, { host, lockfiles }) {
      const findings = await verifyLocks({
        lockfiles,
        programOf: (server) => host.programs.lockedOf(server),
        offersOf: async ({ key }) => (await problemOf(host, key)) ?? offersInCatalogue(host.catalogue, key),
      })
      return { items: [...findings] }
    },
  }),
  outdated: route({
    method: 'GET',
    path: '/api/outdated',
    needs: 'nothing',
    says: 'The accepted version of each program, and the newest one that its command would fetch',
    answer: s.list(s.outdatedServer),
    handle: async (_input, { host }) => ({ items: [...(await host.updates.outdated())] }),
  }),
  planUpdate: route({
    method: 'POST',
    path: '/api/servers/{server}/update/plan',
    needs: 'person',
    says: 'Installs the newest version beside the accepted one, and tells what it would change',
    answer: s.updatePlan,
    handle: ({ server }, { host }) => refusable(() => host.updates.plan(host.keyOf(server))),
  }),
  update: route({
    method: 'POST',
    path: '/api/servers/{server}/update',
    needs: 'person',
    says: 'Runs the version that a person looked at; when it does not start, the old one runs on',
    body: z.strictObject({ digest: z.string() }),
    answer: s.updatePlan,
    handle: ({ server, digest }, { host }) => refusable(() => host.updates.update(host.keyOf(server), digest)),
  }),
}

/** Asks a server for its offers; returns the reason if it cannot be asked. */
async function problemOf(host: Host, server: ServerKey): Promise<string | undefined> {
  if (!host.isAccepted(server)) return 'was not accepted, so it is not started'
  try {
    await host.learn(server)
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
