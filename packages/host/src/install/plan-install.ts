import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Machine, placeFiles } from '../clients/client-files.ts'
import { findClient } from '../clients/clients.ts'
import { editDocument, readDocument, writableFormats, writeServer } from '../config/formats/formats.ts'
import type { Places } from '../config/places.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import { slugOf } from '../config/server-name.ts'
import { type FileChange, undoChange } from '../config/undo.ts'
import { type AskingChange, entryEdits, planWhoAsks, undoAsking, type WhoAsks } from './who-asks.ts'

/** A change to a client's own file, shown before it is made. */
export interface ClientChange extends FileChange {
  readonly client: string
  /** The entries that are taken out, because the host runs these servers. */
  readonly takenOut: readonly string[]
  /** The entries that are put in, by their names there. */
  readonly putIn: readonly string[]
  /** Changes to other files, so that one side asks before a call and not both. @default none */
  readonly also?: readonly AskingChange[]
}

export interface InstallOptions {
  readonly machine: Machine
  /** The program and its first arguments that start this command, whatever is on the search path. */
  readonly launcher: readonly [command: string, ...args: string[]]
  /** The servers that the host runs, by name. */
  readonly servers: ReadonlySet<string>
  /** Who asks before a call. @default as it is */
  readonly asking?: { readonly asks: WhoAsks; readonly userFile: string }
}

/** The one entry for a client that had none of the host's servers. */
const ownName = 'trunkline'

/**
 * What connecting a client to the host changes. Servers that the client already had keep their names and become entries of
 * the host's own addresses for them, so that no tool changes its name; a client that had none gets one entry for all.
 */
export async function planInstall(client: string, options: InstallOptions): Promise<ClientChange> {
  const { id, file, format, text } = await ownFile(client, options.machine)
  const document = readDocument(format, file, text ?? '')
  const had = format
    .read(document)
    .servers.filter(({ name, project }) => project === undefined && options.servers.has(slugOf(name)))
  const putIn = had.length > 0 ? had.map(({ name }) => name) : [ownName]
  const after = putIn.reduce((current, name) => {
    const own = had.length > 0 ? ['--server', slugOf(name)] : []
    return writeServer(format, readDocument(format, file, current), name, entryFor(id, own, options))
  }, text ?? '')
  const change = { client: id, file, before: text, after, takenOut: had.map(({ name }) => name), putIn }
  if (!options.asking) return change
  const asking = { ...options.asking, machine: options.machine }
  const written = readDocument(format, file, after)
  const paths = putIn.map((name) => format.entryPath(written, name))
  const also = await planWhoAsks(id, putIn, asking)
  return { ...change, after: editDocument(format, after, entryEdits(id, paths, asking)), also }
}

/** What disconnecting a client changes: exactly those entries are put back, and nothing else. */
export async function planUninstall(
  change: ClientChange,
  machine: Machine,
): Promise<{ readonly file: string; readonly before: string; readonly after: string | undefined }> {
  const { file, format, text } = await ownFile(change.client, machine)
  if (text === undefined) throw new Error(`Cannot disconnect "${change.client}": "${file}" is not there any more`)
  const after = undoChange(change, text, (current) => {
    const cleaned = change.putIn.reduce(
      (now, name) => writeServer(format, readDocument(format, file, now), name, undefined),
      current,
    )
    const old = format.read(readDocument(format, file, change.before ?? ''))
    return old.servers
      .filter(({ name }) => change.takenOut.includes(name))
      .reduce((now, { name, entry }) => writeServer(format, readDocument(format, file, now), name, entry), cleaned)
  })
  return { file, before: text, after }
}

/** What disconnecting changes in the other files. */
export async function planUndoAlso({
  also = [],
}: ClientChange): Promise<readonly { readonly file: string; readonly after: string | undefined }[]> {
  const undone = also.map(async (change) => {
    const text = await readFile(change.file, 'utf8').catch(() => undefined)
    return { file: change.file, after: text === undefined ? undefined : undoAsking(change, text) }
  })
  return Promise.all(undone)
}

/** Where it is remembered what was done to a client's file. */
export function installRecordPath({ state }: Places, client: string): string {
  return join(state, 'installed', `${client}.json`)
}

function entryFor(client: string, own: readonly string[], { launcher }: InstallOptions): ServerEntry {
  const [command, ...args] = launcher
  return { command, args: [...args, 'stdio', '--client', client, ...own] }
}

async function ownFile(name: string, machine: Machine) {
  const client = findClient(name)
  if (!client) throw new Error(`Cannot connect "${name}": no such client is known`)
  for (const { scope, format: id, location: file } of placeFiles(client, machine)) {
    const format = writableFormats.find((one) => one.id === id)
    if (scope !== 'user' || !format) continue
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return { id: client.id, file, format, text }
  }
  throw new Error(`Cannot connect "${name}": nothing is known of a file that it reads on ${machine.platform}`)
}
