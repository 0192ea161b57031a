import { offeredEntries } from './catalogue/definition-changes.ts'
import { definitionHash } from './catalogue/definition-hash.ts'
import { offeredBy } from './catalogue/learn.ts'
import type { Machine } from './clients/client-files.ts'
import { Config } from './config/config.ts'
import { findPlaces, thisMachine } from './config/places.ts'
import { secretFile } from './config/secrets/secret-file.ts'
import { type ConfiguredSpec, configuredServers } from './configured-servers.ts'
import { compareWithLock, type LockFinding, type OfferNow } from './lockfile/compare.ts'
import { readLockfile } from './lockfile/lockfile.ts'
import { groupByLockfile } from './lockfile/lockfiles.ts'
import { openServer } from './servers/open-server.ts'
import { baseEnvironment } from './servers/program-environment.ts'

/**
 * Compares locks with what servers offer, without a host: every configured server is started, asked and ended. Nobody is
 * asked whether they may be, so this is for machines that run what the project says anyway, such as those that build it.
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
  const findings = [...groupByLockfile(configured)].map(async ([file, servers]) => {
    const now = servers.map(async (one) => ({ name: one.spec.name, entry: one.entry, offers: await offersOf(one) }))
    return compareWithLock(await readLockfile(file), await Promise.all(now))
  })
  return (await Promise.all(findings)).flat()
}

async function offersOf({ spec }: ConfiguredSpec): Promise<readonly OfferNow[] | string> {
  const { launch } = spec
  if (launch.kind === 'unresolved') return launch.needs
  try {
    const connected = await openServer(spec, launch, { options: () => ({}), onStderr: () => {}, onWarning: () => {} })
    try {
      const offered = offeredEntries(await offeredBy(connected.client))
      return offered.map(({ kind, original, definition }) => ({ kind, original, hash: definitionHash(definition) }))
    } finally {
      await connected.close()
    }
  } catch (error) {
    return `cannot be started: ${error instanceof Error ? error.message : error}`
  }
}
