import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { parseSkillText } from '../frontmatter.ts'
import type { SkillFrontmatter } from '../skill-entry.ts'
import { skillFileName } from '../skill-uri.ts'
import { utf8Text } from '../utf8.ts'
import { skillFileType } from './file-type.ts'
import type { FileRead } from './read-file.ts'

/** Facts kept of a file that was read once. */
export interface HashedFile {
  readonly stamp: string
  readonly digest: string
  readonly size: number
  readonly mimeType: string
  /** Frontmatter of a `SKILL.md`, or the reason why it cannot be read. */
  readonly frontmatter?: SkillFrontmatter | Error
}

/** The digest of bytes, as it is listed. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Collects the facts to keep of a file. */
export function hashFile(path: string, { bytes, stamp }: FileRead, maxFrontmatterBytes: number): HashedFile {
  return {
    stamp,
    digest: digestOf(bytes),
    size: bytes.length,
    mimeType: skillFileType(path, bytes),
    ...(basename(path) === skillFileName && { frontmatter: frontmatterIn(bytes, maxFrontmatterBytes) }),
  }
}

function frontmatterIn(bytes: Uint8Array, maxFrontmatterBytes: number): SkillFrontmatter | Error {
  const text = utf8Text(bytes)
  if (text === undefined) return new Error(`${skillFileName} is not UTF-8`)
  try {
    return parseSkillText(text, maxFrontmatterBytes).frontmatter
  } catch (error) {
    return error as Error
  }
}
