import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedMap } from '@trunkline/base/bounded-map'

/** The content of a file, and when it was last written. */
export interface FileDigest {
  readonly digest: string
  /** Time as in `Date.now()`. */
  readonly changedAt: number
}

/** The content of a folder with all that is below it. */
export interface TreeDigest {
  readonly digest: string
  /** Sizes and times of all files; while they are the same, the content is. */
  readonly stamp: string
}

/** Files that many servers run together; more are read again. */
const usualMaxFiles = 1_000
/** Written by programs that run from the folder. */
const written = new Set(['__pycache__', '.cache'])

/** Digests of files, read again only when size, times or inode changed. */
export class FileDigests {
  readonly #known: BoundedMap<string, { readonly stamp: string; readonly digest: string }>
  /** Number of files read, for tests. */
  reads = 0

  constructor(maxFiles = usualMaxFiles) {
    this.#known = new BoundedMap(maxFiles)
  }

  async of(path: string): Promise<FileDigest> {
    const found = await stat(path, { bigint: true })
    const stamp = stampOf(found)
    const known = this.#known.get(path)
    const digest = known?.stamp === stamp ? known.digest : await this.#read(path)
    this.#known.set(path, { stamp, digest })
    return { digest, changedAt: Number(found.mtimeMs) }
  }

  /** The content of a folder; nothing is read while it has the stamp of one that is known. */
  async ofTree(folder: string, known?: TreeDigest): Promise<TreeDigest> {
    const files = await filesBelow(folder)
    const stamp = hashOf(files.map((file) => `${file.path}\0${file.stamp}`))
    if (stamp === known?.stamp) return known
    const lines: string[] = []
    for (const { path, link } of files) lines.push(`${path}\0${link ?? (await this.#read(join(folder, path)))}`)
    return { stamp, digest: hashOf(lines) }
  }

  #read(path: string): Promise<string> {
    this.reads += 1
    const hash = createHash('sha256')
    return new Promise((done, fail) => {
      createReadStream(path)
        .on('data', (chunk) => hash.update(chunk))
        .on('error', fail)
        .on('end', () => done(hash.digest('hex')))
    })
  }
}

/** The files below a folder that were written since a time, newest first. */
export async function writtenSince(folder: string, since: number): Promise<readonly string[]> {
  const files = (await filesBelow(folder)).filter(({ changedAt }) => changedAt > since)
  return files.toSorted((one, other) => other.changedAt - one.changedAt).map(({ path }) => path)
}

interface FoundFile {
  /** Relative to the folder. */
  readonly path: string
  readonly stamp: string
  readonly changedAt: number
  /** Target of a link; undefined if it is none. */
  readonly link: string | undefined
}

async function filesBelow(folder: string, below = ''): Promise<readonly FoundFile[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => !written.has(name))
      .map(async (entry): Promise<readonly FoundFile[]> => {
        const path = join(below, entry.name)
        if (entry.isDirectory()) return filesBelow(folder, path)
        const found = await lstat(join(folder, path), { bigint: true })
        const link = entry.isSymbolicLink() ? `link ${await readlink(join(folder, path))}` : undefined
        return [{ path, link, stamp: stampOf(found), changedAt: Number(found.ctimeMs) }]
      }),
  )
  return found.flat().toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function stampOf(of: { ino: bigint; size: bigint; mode: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [of.ino, of.size, of.mode, of.mtimeNs, of.ctimeNs].join(':')
}

function hashOf(lines: readonly string[]): string {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(line).update('\n')
  return hash.digest('hex')
}
