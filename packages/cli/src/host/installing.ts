import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  type ClientChange,
  Config,
  findPlaces,
  installRecordPath,
  type Machine,
  type Places,
  planInstall,
  planUndoAlso,
  planUninstall,
  thisMachine,
  type WhoAsks,
  writeInstall,
} from '@trunkline/host'
import { writeFileWhole } from '@trunkline/host/api'
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

/** What connecting a client would change. */
export async function plannedInstall(
  client: string,
  asks: WhoAsks,
  { machine, places }: Installing,
): Promise<ClientChange> {
  using config = new Config({ places, machine, isAccepted: () => false })
  const servers = new Set((await config.effective()).servers.map(({ name }) => name))
  const asking = { asks, userFile: places.userFile }
  return planInstall(client, { machine, launcher: thisLauncher(), servers, asking })
}

/** The changes to all files, as people know them; what looks like a secret is masked. */
export function installLines(change: ClientChange): readonly Line[] {
  return [change, ...(change.also ?? [])].flatMap(({ file, before = '', after }): readonly Line[] =>
    before === after ? [] : [file, ...diffLines(before, after)],
  )
}

/** Writes the change, with what is needed to undo it written first. */
export async function install(change: ClientChange, { places }: Installing): Promise<void> {
  await writeInstall(change, places).catch((error: Error) => {
    throw usageFailure(error.message)
  })
}

/** What was done to a client's file. */
export async function installedChange(client: string, { places }: Installing): Promise<ClientChange> {
  const text = await readFile(installRecordPath(places, client), 'utf8').catch(() => undefined)
  if (text === undefined) throw usageFailure(`"${client}" is not connected`, 'trunkline install connects a client')
  return JSON.parse(text) as ClientChange
}

/** Puts a client's file back. */
export async function uninstall(change: ClientChange, { machine, places }: Installing): Promise<readonly string[]> {
  const all = [await planUninstall(change, machine), ...(await planUndoAlso(change))]
  for (const { file, after } of all) {
    if (after === undefined) await rm(file, { force: true })
    else await writeFileWhole(file, after)
  }
  await rm(installRecordPath(places, change.client))
  return all.map(({ file }) => file)
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
