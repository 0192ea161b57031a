import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkillLimits } from '../skill-limits.ts'
import { skillFileName } from '../skill-uri.ts'
import { type HashedFile, hashFile } from './hashed-file.ts'
import { OpenSkill } from './open-skill.ts'
import { fileStamp, readRegularFile } from './read-file.ts'

/** One look at a directory of skills. */
export interface FolderScan {
  /** Every directory with a `SKILL.md` in it, the enclosing ones after those they enclose. */
  readonly skills: readonly OpenSkill[]
  /** Facts known of each file, by path, so that the next look need not read it again. */
  readonly hashed: ReadonlyMap<string, HashedFile>
  /** Reasons why something outside of skills was not looked at. */
  readonly problems: readonly string[]
}

export interface SkillScanOptions {
  readonly limits: Required<SkillLimits>
  /** Findings of an earlier look. */
  readonly known: ReadonlyMap<string, HashedFile>
  /** Called with each directory before it is read. */
  entering(path: string): void
}

interface Place {
  readonly path: string
  readonly names: readonly string[]
  /** The skills that it belongs to, from the outermost. */
  readonly within: readonly OpenSkill[]
}

/** Looks through a directory and all that are in it; links are not followed, and names that begin with a dot are left out. */
export async function scanSkillFolder(root: string, options: SkillScanOptions): Promise<FolderScan> {
  const scan = new Scan(options)
  await scan.folder({ path: root, names: [], within: [] })
  return scan
}

class Scan implements FolderScan {
  readonly skills: OpenSkill[] = []
  readonly hashed = new Map<string, HashedFile>()
  readonly problems: string[] = []
  readonly #options: SkillScanOptions
  #entries = 0

  constructor(options: SkillScanOptions) {
    this.#options = options
  }

  async folder(place: Place): Promise<void> {
    this.#options.entering(place.path)
    const names = await this.#namesIn(place)
    const isSkill = names.includes(skillFileName) && place.names.length > 0
    const own = isSkill ? new OpenSkill(place.names, this.#options.limits) : undefined
    const within = own ? [...place.within, own] : place.within
    if (names.includes(skillFileName) && !isSkill)
      this.problems.push(`"${place.path}" is a skill itself: name the directory that it is in`)
    for (const name of names) await this.#entry({ path: join(place.path, name), names: [...place.names, name], within })
    if (own) this.skills.push(own)
  }

  async #entry(place: Place): Promise<void> {
    const { path, names, within } = place
    const state = await lstat(path, { bigint: true }).catch((error: Error) => error)
    if (state instanceof Error) return this.#refuse(place, `it cannot be read (${state.message})`)
    if (state.isSymbolicLink()) return this.#refuse(place, 'it is a link')
    const { maxFolderDepth } = this.#options.limits
    if (state.isDirectory()) {
      if (names.length <= maxFolderDepth) return this.folder(place)
      return this.#refuse(place, `it is more than ${maxFolderDepth} directories deep`)
    }
    if (!state.isFile()) return this.#refuse(place, 'it is neither a file nor a directory')
    // a file outside of every servable skill is ignored
    const takers = within.filter((skill) => skill.reserve(names, Number(state.size)))
    if (takers.length === 0) return
    try {
      const file = await this.#hashed(path, fileStamp(state))
      for (const skill of takers) skill.add(names, path, file)
    } catch (error) {
      this.#refuse(place, error instanceof Error ? error.message : String(error))
    }
  }

  async #hashed(path: string, stamp: string): Promise<HashedFile> {
    const known = this.#options.known.get(path)
    const { maxBytesPerSkill, maxFrontmatterBytes } = this.#options.limits
    const file =
      known?.stamp === stamp
        ? known
        : hashFile(path, await readRegularFile(path, maxBytesPerSkill), maxFrontmatterBytes)
    this.hashed.set(path, file)
    return file
  }

  /** A skill is whole or not at all, so what cannot be served takes those it belongs to along. */
  #refuse({ path, names, within }: Place, problem: string): void {
    for (const skill of within) skill.refuse(names, problem)
    if (within.length === 0) this.problems.push(`"${path}" is left out: ${problem}`)
  }

  async #namesIn(place: Place): Promise<readonly string[]> {
    const names: string[] = []
    const { maxEntriesRead } = this.#options.limits
    try {
      for await (const { name } of await opendir(place.path)) {
        this.#entries += 1
        if (this.#entries > maxEntriesRead) {
          this.#refuse(place, `there are more than ${maxEntriesRead} files and directories`)
          return []
        }
        if (!name.startsWith('.')) names.push(name)
      }
    } catch (error) {
      this.#refuse(place, `it cannot be read (${(error as Error).message})`)
    }
    return names.sort()
  }
}
