import { createHash } from 'node:crypto'
import { canonicalJson } from '@trunkline/mcp'
import type { ProgramLaunch } from '../launch.ts'
import { type FileDigests, type TreeDigest, writtenSince } from './file-digests.ts'
import { filesOf, type RunFile, versionless } from './run-files.ts'

/** A file that starting a server runs, as it is on the disk. */
export interface BoundFile extends RunFile {
  /** The SHA-256 of its content, where that is accepted with it. */
  readonly digest?: string
  /** Time of the last write, as in `Date.now()`. */
  readonly changedAt?: number
}

/** Files that the start of a server runs, as far as the host can tell without starting it. */
export interface Fingerprint {
  readonly files: readonly BoundFile[]
  /** The folder that its package was installed in. */
  readonly package?: TreeDigest & { readonly folder: string; readonly integrity?: string }
}

/** A program to take the fingerprint of. */
export interface FingerprintOptions {
  readonly digests: FileDigests
  /** Folder of the package that the host installed. */
  readonly installed?: { readonly folder: string; readonly integrity?: string }
  /** The fingerprint that is known, whose package is not read again while its files have the same times. */
  readonly known?: Fingerprint
}

/** Files of a package that a person is shown by name. */
const maxShown = 5

/** Reads the files that a launch would run. The content of programs that the person writes is left out. */
export async function fingerprintOf(launch: ProgramLaunch, options: FingerprintOptions): Promise<Fingerprint> {
  const { digests, installed, known } = options
  const files = await Promise.all(
    filesOf(launch).map(async (file): Promise<BoundFile> => {
      if (file.path === undefined || file.by !== 'content' || launch.mine) return file
      return { ...file, ...(await digests.of(file.path)) }
    }),
  )
  if (!installed || launch.mine) return { files }
  const isKnown = known?.package?.folder === installed.folder
  const tree = await digests.ofTree(installed.folder, isKnown ? known.package : undefined)
  return { files, package: { ...installed, digest: tree.digest, stamp: tree.stamp } }
}

/** Equal for fingerprints that need no new acceptance. */
export function fingerprintHash({ files, package: installed }: Fingerprint): string {
  const compared = files.map(({ role, name, by, digest, ...file }) => [role, name, comparedPath(file.path, by), digest])
  return createHash('sha256')
    .update(canonicalJson([compared, installed?.digest]))
    .digest('hex')
}

/** Files that a program runs now and that were not accepted, one sentence each; missing files are not run. */
export async function differencesTo(accepted: Fingerprint, now: Fingerprint, since: number): Promise<string[]> {
  const files = now.files.flatMap((file) => {
    const before = accepted.files.find(({ role, name }) => role === file.role && name === file.name)
    const said = differenceOf(before, file)
    return said === undefined ? [] : [said]
  })
  const installed = now.package
  if (!installed || installed.digest === accepted.package?.digest) return files
  const changed = await writtenSince(installed.folder, since)
  const more = changed.length > maxShown ? ` and ${changed.length - maxShown} more` : ''
  const named = changed.length > 0 ? `: ${changed.slice(0, maxShown).join(', ')}${more}` : ''
  return [`its files in "${installed.folder}" are not those that were accepted${named}`]
}

/** The files in a fingerprint, one line each, for the person who accepts it. */
export function fingerprintLines({ files, package: installed }: Fingerprint): readonly string[] {
  const lines = files.map(({ role, name, path, digest }) => {
    if (path === undefined) return `${role} "${name}" was not found`
    return `${role} ${path}${digest === undefined ? '' : ` (sha256 ${short(digest)})`}`
  })
  if (!installed) return lines
  return [...lines, `package in ${installed.folder}${installed.integrity ? ` (${installed.integrity})` : ''}`]
}

function differenceOf(before: BoundFile | undefined, now: BoundFile): string | undefined {
  const { role, name, path, by, digest, changedAt } = now
  if (path === undefined) return undefined
  if (before?.path === undefined) return `${role} "${name}" is "${path}" now, and was not found when it was accepted`
  if (comparedPath(before.path, by) !== comparedPath(path, by)) {
    return `${role} "${name}" is "${path}" now, and "${before.path}" was accepted`
  }
  if (by !== 'content' || before.digest === digest || digest === undefined) return undefined
  const when = changedAt === undefined ? '' : `, last written ${new Date(changedAt).toISOString()}`
  return `${role} "${path}" was changed (sha256 ${short(before.digest)} was accepted, now ${short(digest)})${when}`
}

function comparedPath(path: string | undefined, by: RunFile['by']): string | undefined {
  return by === 'version' && path !== undefined ? versionless(path) : path
}

function short(digest: string | undefined): string {
  return digest === undefined ? 'none' : digest.slice(0, 12)
}
