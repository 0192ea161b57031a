import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverNameOf } from '../act/server-key.ts'
import { offeredEntries } from '../catalogue/changed-offers.ts'
import { definitionHash } from '../catalogue/definition-hash.ts'
import { listedExtensions, offeredBy } from '../catalogue/learn.ts'
import { Config } from '../config/config.ts'
import type { Machine } from '../config/machine.ts'
import { findPlaces, thisMachine } from '../config/places.ts'
import { secretFile } from '../config/secrets/secret-file.ts'
import { type ConfiguredSpec, configuredServers } from '../projects/configured-servers.ts'
import type { Launch } from '../servers/launch.ts'
import { openServer } from '../servers/open-server.ts'
import { baseEnvironment } from '../servers/program-environment.ts'
import { lockedProgram, type ProgramLabel, Programs } from '../servers/programs/programs.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { openStore } from '../store/store.ts'
import { programTables } from '../store/tables/program-table.ts'
import { compareProgram, compareWithLock, type LockFinding, type OfferNow, type ServerNow } from './lockfile/compare.ts'
import { type Lockfile, readLockfile } from './lockfile/lockfile.ts'
import { groupByLockfile } from './lockfile/lockfiles.ts'

/**
 * Compares locks with what servers run and offer, without a host: every locked server is started, asked and ended. There is
 * no question before a start, so this is for machines that run the project's servers anyway, such as build machines. A
 * package is fetched as the command would fetch it, and started only if it is the locked one.
 */
export async function verifyStarted(
  directory: string,
  machine: Machine = thisMachine(),
): Promise<readonly LockFinding[]> {
  const places = findPlaces(machine)
  using config = new Config({ places, machine, isAccepted: () => true })
  const environment = baseEnvironment(machine, machine.environment.PATH ?? '')
  const secrets = secretFile(places.secretsFile)
  const effective = await config.effective(directory)
  const configured = await configuredServers(effective, { machine, secrets, project: directory, environment })
  await using fetching = await temporaryPrograms(machine)
  const findings = [...groupByLockfile(configured)].map(async ([file, servers]) => {
    const lock = await readLockfile(file)
    return compareWithLock(lock, await Promise.all(servers.map((one) => serverNow(one, lock, fetching.programs))))
  })
  return (await Promise.all(findings)).flat()
}

/** Programs in a folder that is removed at the end. */
async function temporaryPrograms({ environment }: Machine) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-verify-'))
  const store = openStore({ path: join(folder, 'programs.db'), rooms: [programTables] })
  return {
    programs: new Programs(store, { folder: join(folder, 'programs'), environment: () => environment }),
    async [Symbol.asyncDispose]() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The program and offers of a server; one that is not locked is not asked. */
async function serverNow({ spec, entry }: ConfiguredSpec, lock: Lockfile, programs: Programs): Promise<ServerNow> {
  const { launch } = spec
  const about = { name: serverNameOf(spec.name), entry }
  const locked = Object.hasOwn(lock.servers, about.name) ? lock.servers[about.name] : undefined
  if (!locked) return { ...about, offers: 'is not in the lock' }
  if (launch.kind === 'unresolved') return { ...about, offers: launch.needs }
  let label: ProgramLabel | undefined
  try {
    const unpacked = await programs.unpack(launch)
    if (!unpacked) return { ...about, offers: await offersOf(spec, launch) }
    label = lockedProgram(unpacked.program)
    if (compareProgram(locked, { ...about, ...label }).length > 0) {
      return { ...about, ...label, offers: 'was not started, because its package is not the locked one' }
    }
    const { path } = await programs.runScripts(launch, unpacked)
    return { ...about, ...label, offers: await offersOf(spec, { ...unpacked.launch, command: path } as Launch) }
  } catch (error) {
    return { ...about, ...label, offers: `cannot be started: ${error instanceof Error ? error.message : error}` }
  }
}

async function offersOf(spec: ServerSpec, launch: Launch): Promise<readonly OfferNow[]> {
  const connected = await openServer(spec, launch, {
    options: () => ({ extensions: listedExtensions }),
    onStderr: () => {},
    onWarning: () => {},
  })
  try {
    const offered = offeredEntries(await offeredBy(connected.client))
    return offered.map(({ kind, original, definition }) => ({ kind, original, hash: definitionHash(definition) }))
  } finally {
    await connected.close()
  }
}
