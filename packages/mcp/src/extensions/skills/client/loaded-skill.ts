import type { Fields } from '../../../wire/messages.ts'
import type { SkillEntry, SkillFile, SkillFrontmatter } from '../skill-entry.ts'
import type { SkillLimits } from '../skill-limits.ts'
import { segmentsProblem, skillFileUri, skillRoot } from '../skill-uri.ts'
import { utf8Text } from '../utf8.ts'
import { bytesIn, mismatch, verifiedBytes } from './verify.ts'
import { verifiedText } from './verify-file.ts'

/** Reads a resource of the server that the skill is from. */
export type ReadResource = (uri: string) => Promise<Fields>

/** A file of a skill that was verified. */
export interface LoadedFile {
  readonly uri: string
  readonly bytes: Uint8Array
  /** The bytes as text, where they are UTF-8. */
  readonly text: string | undefined
}

/**
 * A skill that was loaded, and the entry it was loaded by. For as long as a model acts on it, its files are read by this entry and
 * no other: what the entry does not list is not there, and what is not as it lists it is refused.
 */
export class LoadedSkill {
  readonly entry: SkillEntry
  /** The instructions, without the frontmatter. They are the server's words, not the user's. */
  readonly body: string
  readonly #root: string
  readonly #read: ReadResource
  readonly #limits: Required<SkillLimits>
  readonly #kept = new Map<string, Promise<LoadedFile>>()
  #bytes: number

  private constructor(entry: SkillEntry, text: { body: string; bytes: number }, parts: LoadedParts) {
    this.entry = entry
    this.body = text.body
    this.#bytes = text.bytes
    this.#root = skillRoot(entry.uri) as string
    this.#read = parts.read
    this.#limits = parts.limits
  }

  /** Reads and verifies the `SKILL.md` of an entry, and nothing else of it. @internal */
  static async load(entry: SkillEntry, parts: LoadedParts): Promise<LoadedSkill> {
    const { maxBytesPerSkill, maxFrontmatterBytes } = parts.limits
    const listed = fileOf(entry, entry.uri)
    const result = await parts.read(entry.uri)
    const bytes = listed ? await verifiedBytes(result, listed) : bytesIn(result, entry.uri, maxBytesPerSkill)
    const { body } = verifiedText(entry, bytes, maxFrontmatterBytes)
    return new LoadedSkill(entry, { body, bytes: bytes.length }, parts)
  }

  get frontmatter(): SkillFrontmatter {
    return this.entry.frontmatter
  }

  /** The paths of its files, below its directory; of a dynamic skill none are known. */
  get files(): readonly string[] {
    const { resources } = this.entry
    if (resources === 'dynamic') return []
    return resources.map(({ uri }) => decodeURIComponent(uri.slice(this.#root.length + 1)))
  }

  /** Reads a file of the skill by its path below the skill's directory, or by its address; each is fetched once. */
  async read(path: string): Promise<LoadedFile> {
    const uri = this.#uriOf(path)
    const kept = this.#kept.get(uri)
    if (kept) return kept
    const file = fileOf(this.entry, uri)
    if (!file && this.entry.resources !== 'dynamic') throw mismatch(uri, 'the entry of its skill does not list it')
    const reading = file ? this.#fetch(file) : this.#fetchUnverified(uri)
    if (file) {
      // only what is listed is kept, so the limit of a skill is the limit of this
      this.#kept.set(uri, reading)
      reading.catch(() => this.#kept.delete(uri))
    }
    return reading
  }

  async #fetch(file: SkillFile): Promise<LoadedFile> {
    return loaded(file.uri, await verifiedBytes(await this.#read(file.uri), file))
  }

  async #fetchUnverified(uri: string): Promise<LoadedFile> {
    const left = this.#limits.maxBytesPerSkill - this.#bytes
    const bytes = bytesIn(await this.#read(uri), uri, left)
    this.#bytes += bytes.length
    return loaded(uri, bytes)
  }

  #uriOf(path: string): string {
    const isAddress = path.includes('://')
    if (isAddress && !path.startsWith(`${this.#root}/`)) throw mismatch(path, `it is not in "${this.#root}"`)
    const below = isAddress ? path.slice(this.#root.length + 1) : path.replace(/^(?:\.\/)+/, '')
    const uri = isAddress ? path : skillFileUri(this.#root, below)
    const problem = segmentsProblem(uri.slice(this.#root.length + 1))
    if (problem !== undefined) throw mismatch(uri, problem)
    return uri
  }
}

/** The parts of its client that a loaded skill needs. @internal */
export interface LoadedParts {
  readonly read: ReadResource
  readonly limits: Required<SkillLimits>
}

function loaded(uri: string, bytes: Uint8Array): LoadedFile {
  return { uri, bytes, text: utf8Text(bytes) }
}

function fileOf({ resources }: SkillEntry, uri: string): SkillFile | undefined {
  return resources === 'dynamic' ? undefined : resources.find((file) => file.uri === uri)
}
