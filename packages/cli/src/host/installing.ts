import { fileURLToPath } from 'node:url'
import { diffLines } from '@trunkline/base/line-diff'
import {
  type BypassingClient,
  bypassingClients,
  type ClientChange,
  Config,
  findPlaces,
  type Machine,
  type Places,
  planInstall,
  presentServers,
  readInstallRecord,
  readInstallRecords,
  secretFile,
  thisMachine,
  type UndoneFile,
  undoInstall,
  type WhoAsks,
  writeInstall,
  writesOf,
} from '@trunkline/host/config'
import { redactText } from '@trunkline/host/text'
import { usageFailure } from '../failure/failure.ts'
import type { Line } from '../output/span.ts'
import { styled } from '../output/span.ts'

/** Dependencies for planning and remembering changes to the files of clients. */
export interface Installing {
  readonly machine: Machine
  readonly places: Places
}

export function thisInstalling(): Installing {
  const machine = thisMachine()
  return { machine, places: findPlaces(machine) }
}

/** Command line that starts this command. An absolute path: the Node that a client finds may be another one. */
export function thisLauncher(): [string, string] {
  return [process.execPath, fileURLToPath(new URL('../../bin/trunkline.js', import.meta.url))]
}

/** Warning for a launcher in the cache of npx, which clients lose when the cache is cleared. */
export function launcherRemark([, program] = thisLauncher()): string | undefined {
  if (!/[\\/]_npx[\\/]/.test(program)) return undefined
  return 'This command runs from the cache of npx, and clients will start it from there. To keep it when that is cleared: npm install --global trunkline, then install again'
}

/** Plans the change that connects a client; the earlier choice of who asks is kept, unless a new one is given. */
export async function plannedInstall(
  client: string,
  asks: WhoAsks | undefined,
  { machine, places }: Installing,
): Promise<ClientChange & { readonly isDecided: boolean }> {
  const servers = await hostServers({ machine, places })
  const installed = await readInstallRecord(places, client)
  const decided = asks ?? installed?.asks
  const asking = { asks: decided ?? 'trunkline', userFile: places.userFile }
  const change = await planInstall(client, {
    ...{ machine, launcher: thisLauncher(), servers, asking, installed },
    project: process.cwd(),
  })
  return { ...change, isDecided: decided !== undefined }
}

/** The person's own servers, by name, with secrets in the place of references to them. */
async function hostServers({ machine, places }: Installing) {
  using config = new Config({ places, machine, isAccepted: () => false })
  return presentServers(await config.effective(), secretFile(places.secretsFile))
}

/** Counts the entries of a client that go through the host, and says why the others do not. */
export function throughLines({ client, takenOut, outside = [] }: ClientChange): readonly Line[] {
  if (outside.length === 0) return []
  const total = takenOut.length + outside.length
  const others = outside.length === 1 ? '1 does not:' : `${outside.length} do not:`
  return [
    styled('warning', `${takenOut.length} of ${total} of "${client}" go through Trunkline; ${others}`),
    ...outside.map(({ name, why }): Line => ['  ', styled('name', name), `, because ${why}`]),
  ]
}

/** The clients of this machine that start servers past the host. */
export async function bypasses(installing: Installing): Promise<readonly BypassingClient[]> {
  return bypassingClients({ ...installing, project: process.cwd(), servers: await hostServers(installing) })
}

/** One line per client that starts servers past the host, with what to type. */
export function bypassLines(all: readonly BypassingClient[]): readonly Line[] {
  return all.map(({ client, isConnected, entries }): Line => {
    const names = entries.map(({ name, why }) => `${name} (${why})`).join(', ')
    const does = isConnected ? 'is connected, and starts past Trunkline' : 'is not connected, and starts itself'
    return styled('warning', `${client} ${does}: ${names}. Connect it: trunkline install ${client}`)
  })
}

/** The changes to all files, as people know them; what looks like a secret is masked. */
export function installLines(change: ClientChange): readonly Line[] {
  return writesOf(change).flatMap(({ file, before, current = before ?? '', after }): readonly Line[] =>
    current === after ? [] : [file, ...changedLines(current, after)],
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
function changedLines(before: string, after: string): readonly Line[] {
  return diffLines(before.split('\n'), after.split('\n')).flatMap(({ kind, text }): readonly Line[] => {
    if (kind === 'same') return []
    const line = withoutSecrets(text)
    return [kind === 'removed' ? styled('bad', `- ${line}`) : styled('good', `+ ${line}`)]
  })
}

/** A line of a file with what looks like a secret masked, by its name or its form. */
function withoutSecrets(line: string): string {
  return redactText(line).replace(namedSecret, '$1"[masked]"')
}

const namedSecret =
  /("?[\w-]*(?:key|token|secret|passw(?:or)?d|credentials?|authorization)"?\s*[:=]\s*)"(?!\[masked\]|\$\{|secret:)[^"]+"/gi
