import { readFile } from 'node:fs/promises'
import { valueAt } from '../../config/document/document.ts'
import type { Machine } from '../../config/machine.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import { type FileChange, undoChange } from '../../config/undo.ts'
import { placeFiles } from '../client-files.ts'
import { findClient } from '../clients.ts'
import { editDocument, readDocument, writableFormats, writeServer } from '../formats.ts'
import { type Candidate, candidatesIn } from '../import/candidates.ts'
import { discover } from '../import/discover.ts'
import { type HostServers, matchEntries, type OutsideEntry } from './match-entries.ts'
import { type AskingChange, entryEdits, planWhoAsks, type WhoAsks } from './who-asks.ts'

/** A change to a client's own file, shown before it is made. */
export interface ClientChange extends FileChange {
  readonly client: string
  /** Present content of the file, if it holds an earlier change of ours that this one replaces. @default `before` */
  readonly current?: string
  /** The entries that are taken out, because the host runs these servers. */
  readonly takenOut: readonly string[]
  /** The entries that are put in, by their names there. */
  readonly putIn: readonly string[]
  /** Entries of the client that go on past the host, each with the reason. Not recorded. @default none */
  readonly outside?: readonly OutsideEntry[]
  /** Program that asks before a call. @default as it was */
  readonly asks?: WhoAsks
  /** Changes to other files, so that one side asks before a call and not both. @default none */
  readonly also?: readonly AskingChange[]
  /** The outermost folders that had to be made for the files, which go with them when the change is undone. @default none */
  readonly folders?: readonly string[]
  /** Set by versions that bind a client to the program that starts it. @default false */
  readonly bindsProgram?: boolean
}

export interface InstallOptions {
  readonly machine: Machine
  /** The program and its first arguments that start this command, whatever is on the search path. */
  readonly launcher: readonly [command: string, ...args: string[]]
  readonly servers: HostServers
  /** The directory whose files of the client are looked at too. @default none */
  readonly project?: string
  /** Program that asks before a call. @default as it is */
  readonly asking?: { readonly asks: WhoAsks; readonly userFile: string }
  /** The earlier change of this client's files, which this one replaces. @default none */
  readonly installed?: ClientChange | undefined
}

/** The only entry of a client that had none of the host's servers. */
const ownName = 'trunkline'

/**
 * Changes that connect a client to the host. Servers that the client already had keep their names and become entries of
 * the host's own addresses for them, so that no tool changes its name; a client that had none gets one entry for all.
 */
export async function planInstall(client: string, options: InstallOptions): Promise<ClientChange> {
  const { installed } = options
  const own = await ownFile(client, options.machine)
  const { id, file, format } = own
  const text = installed && own.text !== undefined ? withoutEntries(installed, own, own.text) : own.text
  const { through, outside } = matchEntries(await entriesOf({ ...own, text }, options), file, options.servers)
  const takenOut = through.map(({ name }) => name)
  const entries = through.length > 0 ? through : [{ name: ownName }]
  const after = entries.reduce((current, { name, ...one }) => {
    const alone = 'server' in one ? ['--server', one.server] : []
    return writeServer(format, readDocument(format, file, current), name, entryFor(id, alone, options))
  }, text ?? '')
  const putIn = entries.map(({ name }) => name)
  const earlier = own.text === undefined || own.text === text ? {} : { current: own.text }
  const change = { client: id, file, before: text, ...earlier, after, takenOut, putIn, outside }
  if (!options.asking) return change
  const { asks } = options.asking
  const asking = { ...options.asking, machine: options.machine, earlier: installed?.also }
  const written = readDocument(format, file, after)
  const paths = putIn.map((name) => format.entryPath(written, name))
  const also = await planWhoAsks(id, putIn, asking)
  return { ...change, asks, after: editDocument(format, after, entryEdits(id, paths, asking)), also }
}

/** The entries of a client in all its files, as `init` reads them; its own file without the earlier change. */
async function entriesOf(own: OwnFile, { machine, project }: InstallOptions): Promise<readonly Candidate[]> {
  const { id, file, format, text = '' } = own
  const reading = format.read(readDocument(format, file, text))
  const files = (await discover(machine, project)).map((one) => (one.file === file ? { ...one, reading } : one))
  return candidatesIn(files, []).candidates.filter(({ origin }) => origin.client === id)
}

/** Changes that disconnect a client: exactly those entries are put back, and nothing else. */
export async function planUninstall(
  change: ClientChange,
  machine: Machine,
): Promise<{ readonly file: string; readonly after: string | undefined }> {
  const own = await ownFile(change.client, machine)
  if (own.text === undefined)
    throw new Error(`Cannot disconnect "${change.client}": "${own.file}" is not there any more`)
  return { file: own.file, after: withoutEntries(change, own, own.text) }
}

function withoutEntries(change: ClientChange, { file, format }: OwnFile, text: string): string | undefined {
  return undoChange(change, text, (current) => {
    const cleaned = change.putIn.reduce(
      (now, name) => writeServer(format, readDocument(format, file, now), name, undefined),
      current,
    )
    // the original entries, with members that only the client knows
    const old = readDocument(format, file, change.before ?? '')
    return change.takenOut.reduce((now, name) => {
      const value = valueAt(old.value, format.entryPath(old, name))
      return editDocument(format, now, [{ path: format.entryPath(readDocument(format, file, now), name), value }])
    }, cleaned)
  })
}

function entryFor(client: string, own: readonly string[], { launcher }: InstallOptions): ServerEntry {
  const [command, ...args] = launcher
  return { command, args: [...args, 'stdio', '--client', client, ...own] }
}

/** The file of a client that holds its servers: the first that is there, or the first of all. */
type OwnFile = Awaited<ReturnType<typeof ownFile>>

async function ownFile(name: string, machine: Machine) {
  const client = findClient(name)
  if (!client) throw new Error(`Cannot connect "${name}": no such client is known`)
  const files = placeFiles(client, machine).flatMap(({ scope, format: id, location: file }) => {
    const format = writableFormats.find((one) => one.id === id)
    return scope === 'user' && format ? [{ id: client.id, file, format }] : []
  })
  const [first] = files
  if (!first)
    throw new Error(`Cannot connect "${name}": nothing is known of a file that it reads on ${machine.platform}`)
  for (const file of files) {
    const text = await readFile(file.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text !== undefined) return { ...file, text }
  }
  return { ...first, text: undefined }
}
