import type { Resource } from '../../../model/types.ts'
import type { SkillEntry } from '../skill-entry.ts'
import type { SkillLimits } from '../skill-limits.ts'

/** The skills that there are at one moment. */
export interface SkillCatalogue {
  readonly skills: readonly SkillEntry[]
  /** Every file of every skill, by address. */
  readonly files: ReadonlyMap<string, ServedFile>
  /** Entries directly below each directory of every skill, by the address of the directory. */
  readonly folders: ReadonlyMap<string, readonly Resource[]>
}

/** A file as it is served. */
export interface ServedFile {
  readonly path: string
  readonly digest: string
  readonly size: number
  readonly mimeType: string
}

/** A source of skills. */
export interface SkillSource {
  /** Begins to look for skills, and for changes. */
  start(): void
  /** The skills that there are by now. */
  catalogue(): Promise<SkillCatalogue>
  /** The bytes of a file of the catalogue of this moment; undefined when it is in none. */
  read(uri: string): Promise<{ readonly file: ServedFile; readonly bytes: Uint8Array } | undefined>
  close(): void
}

/** Settings of a source, and the functions it reports to. */
export interface SkillSourceOptions {
  readonly limits: Required<SkillLimits>
  /** True if it looks for changes by itself. */
  readonly watch: boolean
  changed(before: SkillCatalogue, after: SkillCatalogue): void
  warn(message: string): void
}

/** Opens a directory of skills; throws when there is none. */
export type OpenSkillFolder = (path: string | URL, options: SkillSourceOptions) => SkillSource
