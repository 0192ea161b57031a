import type { SkillFrontmatter } from '../skill-entry.ts'
import type { SkillLimits } from '../skill-limits.ts'
import { skillFileName } from '../skill-uri.ts'
import type { HashedFile } from './hashed-file.ts'

/** A file that was found in a skill. */
export interface SkillFolderFile extends HashedFile {
  readonly path: string
  /** The names from the directory that is served down to the file. */
  readonly names: readonly string[]
}

const maxDescription = 1_024

/** A skill while its files are being found; the first thing that is wrong with it refuses all of it. */
export class OpenSkill {
  readonly names: readonly string[]
  readonly files: SkillFolderFile[] = []
  readonly #limits: Required<SkillLimits>
  #count = 0
  #bytes = 0
  #problem: string | undefined

  constructor(names: readonly string[], limits: Required<SkillLimits>) {
    this.names = names
    this.#limits = limits
  }

  /** Makes room for a file before it is read; false when the skill is refused, for this file or for another one. */
  reserve(names: readonly string[], size: number): boolean {
    const { maxFilesPerSkill, maxBytesPerSkill } = this.#limits
    this.#count += 1
    this.#bytes += size
    if (this.#count > maxFilesPerSkill) this.refuse(names, `the skill has more than ${maxFilesPerSkill} files`)
    if (this.#bytes > maxBytesPerSkill) this.refuse(names, `the skill has more than ${maxBytesPerSkill} bytes`)
    return this.#problem === undefined
  }

  add(names: readonly string[], path: string, file: HashedFile): void {
    this.files.push({ ...file, names, path })
  }

  refuse(names: readonly string[], problem: string): void {
    this.#problem ??= `"${names.slice(this.names.length).join('/') || '.'}": ${problem}`
  }

  /** The fault in it; undefined if there is none. */
  get problem(): string | undefined {
    return this.#problem ?? this.#textProblem()
  }

  get frontmatter(): SkillFrontmatter | Error | undefined {
    return this.files.find(({ names }) => names.length === this.names.length + 1 && names.at(-1) === skillFileName)
      ?.frontmatter
  }

  #textProblem(): string | undefined {
    const { frontmatter } = this
    if (frontmatter === undefined) return `"${skillFileName}" is no file`
    if (frontmatter instanceof Error) return frontmatter.message
    const folder = this.names.at(-1)
    if (frontmatter.name !== folder)
      return `its "name" is "${frontmatter.name}", but its directory is "${folder}": both must be the same`
    if (frontmatter.description.length > maxDescription)
      return `its "description" is longer than ${maxDescription} characters`
    return undefined
  }
}
