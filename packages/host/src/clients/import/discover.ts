import { readFile } from 'node:fs/promises'
import type { Machine } from '../../config/machine.ts'
import type { ConfigProblem } from '../../config/problem.ts'
import type { ClientFile, Scope } from '../client.ts'
import { type PlacedFile, placeFiles } from '../client-files.ts'
import { type Reading, together } from '../client-format.ts'
import { clients } from '../clients.ts'
import { formats, readDocument } from '../formats.ts'
import type { OriginClient } from './import-plan.ts'

/** Content of one file of one client. */
export interface FoundFile {
  readonly client: OriginClient
  readonly scope: Scope
  readonly file: string
  /** The project that it lies in. */
  readonly project: string | undefined
  readonly reading: Reading
  /** Problems that kept it from being read whole. */
  readonly problems: readonly ConfigProblem[]
}

/** Reads the files of every client that is known; those that are not there are left out, and nothing is started. */
export async function discover(machine: Machine, project?: string): Promise<FoundFile[]> {
  const places = clients.map((client) => {
    // in the home directory a file of the project is that of the user
    const placed = new Map(
      placeFiles(client, machine, project)
        .toReversed()
        .map((file) => [file.location, file]),
    )
    return [...placed.values()].toReversed().map((file) => ({ client: client.id, ...file }))
  })
  const found = await Promise.all(places.map(readFiles))
  return found.flat()

  /** Files of one client; that of an earlier version only where no newer one is there. */
  async function readFiles(files: (typeof places)[number]): Promise<FoundFile[]> {
    const read = await Promise.all(files.map(async (file) => ({ ...file, found: await readOne(file, project) })))
    const isReplaced = ({ format }: ClientFile) =>
      read.some((one) => one.format === format && !one.isFormer && one.found !== undefined)
    return read.flatMap((file) => (file.found === undefined || (file.isFormer && isReplaced(file)) ? [] : [file.found]))
  }
}

async function readOne(
  { client, scope, format: id, location: file }: PlacedFile & { readonly client: OriginClient },
  project: string | undefined,
): Promise<FoundFile | undefined> {
  const format = formats.find((one) => one.id === id)
  const text = format && (await textOf(file))
  if (format === undefined || text === undefined) return undefined
  const place = { client, scope, file, project: scope === 'user' ? undefined : project }
  if (typeof text !== 'string') return { ...place, reading: together(), problems: [text] }
  const document = readDocument(format, file, text)
  return { ...place, reading: format.read(document), problems: document.problems }
}

async function textOf(file: string): Promise<string | ConfigProblem | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { file, line: 1, key: '', problem: `cannot be read (${code})`, fix: 'make it readable for you' }
  }
}
