import { fileURLToPath } from 'node:url'
import {
  type ClientChange,
  Config,
  findPlaces,
  type Machine,
  type Places,
  planInstall,
  readInstallRecord,
  readInstallRecords,
  thisMachine,
  type UndoneFile,
  undoInstall,
  type WhoAsks,
  writeInstall,
  writesOf,
} from '@trunkline/host'
import { redactText } from '@trunkline/host/text'
import { usageFailure } from '../failure/failure.ts'
import type { Line } from '../output/span.ts'
import { styled } from '../output/span.ts'

/** Where changes to the files of clients are planned and remembered. */
export interface Installing {
  readonly machine: Machine
  readonly places: Places
}

export function thisInstalling(): Installing {
  const machine = thisMachine()
  return { machine, places: findPlaces(machine) }
}

/** What starts this command. An absolute path: the Node that a client finds may be another one. */
export function thisLauncher(): [string, string] {
  return [process.execPath, fileURLToPath(new URL('../../bin/trunkline.js', import.meta.url))]
}

/** What to know of a launcher that may be gone some day, and with it what a client starts. */
export function launcherRemark([, program] = thisLauncher()): string | undefined {
  if (!/[\\/]_npx[\\/]/.test(program)) return undefined
  return 'This command runs from the cache of npx, and clients will start it from there. To keep it when that is cleared: npm install --global trunkline, then install again'
}

/** What connecting a client would change; who asks stays as it was decided before, unless it is said. */
export async function plannedInstall(
  client: string,
  asks: WhoAsks | undefined,
  { machine, places }: Installing,
): Promise<ClientChange & { readonly isDecided: boolean }> {
  using config = new Config({ places, machine, isAccepted: () => false })
  const servers = new Set((await config.effective()).servers.map(({ name }) => name))
  const installed = await readInstallRecord(places, client)
  const decided = asks ?? installed?.asks
  const asking = { asks: decided ?? 'trunkline', userFile: places.userFile }
  const change = await planInstall(client, { machine, launcher: thisLauncher(), servers, asking, installed })
  return { ...change, isDecided: decided !== undefined }
}

/** The changes to all files, as people know them; what looks like a secret is masked. */
export function installLines(change: ClientChange): readonly Line[] {
  return writesOf(change).flatMap(({ file, before, current = before ?? '', after }): readonly Line[] =>
    current === after ? [] : [file, ...diffLines(current, after)],
  )
}

/** Writes the change, with what is needed to undo it written first. */
export async function install(change: ClientChange, { places }: Installing): Promise<void> {
  await writeInstall(change, places).catch((error: Error) => {
    throw usageFailure(error.message)
  })
}

/** The clients that are connected, by name. */
export async function connectedClients({ places }: Installing): Promise<readonly string[]> {
  return (await readInstallRecords(places)).map(({ client }) => client).sort()
}

/** Puts the files of a client back, and tells which those were. */
export async function uninstall(client: string, { machine, places }: Installing): Promise<readonly UndoneFile[]> {
  const change = await readInstallRecord(places, client)
  if (!change) throw usageFailure(`"${client}" is not connected`, 'trunkline install connects a client')
  return undoInstall(change, machine, places)
}

/** The lines that differ, as people know them. */
export function diffLines(before: string, after: string): readonly Line[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return [
    ...old.slice(start, old.length - end).map((line): Line => styled('bad', `- ${withoutSecrets(line)}`)),
    ...now.slice(start, now.length - end).map((line): Line => styled('good', `+ ${withoutSecrets(line)}`)),
  ]
}

/** A line of a file with what looks like a secret masked, by its name or its form. */
function withoutSecrets(line: string): string {
  return redactText(line).replace(namedSecret, '$1"[masked]"')
}

const namedSecret =
  /("?[\w-]*(?:key|token|secret|passw(?:or)?d|credentials?|authorization)"?\s*[:=]\s*)"(?!\[masked\]|\$\{|secret:)[^"]+"/gi
