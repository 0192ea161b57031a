import type { Resource } from '../../../model/types.ts'
import type { ServedFile, SkillCatalogue } from '../server/skill-source.ts'
import { directoryType, type SkillEntry, type SkillFrontmatter } from '../skill-entry.ts'
import { skillFileName } from '../skill-uri.ts'
import type { OpenSkill } from './open-skill.ts'

/** Before anything was looked at. */
export const emptyCatalogue: SkillCatalogue = { skills: [], files: new Map(), folders: new Map() }

/** The part of the skills found that can be served. */
export function catalogueOf(found: readonly OpenSkill[]): SkillCatalogue {
  const good = found.filter(({ problem }) => problem === undefined)
  const files = new Map<string, ServedFile>()
  const folders = new Map<string, Map<string, Resource>>()
  for (const { files: own, names: root, frontmatter } of good) {
    folders.set(uriOf(root), folders.get(uriOf(root)) ?? new Map())
    for (const file of own) {
      files.set(uriOf(file.names), file)
      place(folders, root, { ...file, frontmatter: frontmatter as SkillFrontmatter })
    }
  }
  return {
    skills: good.map(entryOf).sort((one, other) => (one.uri < other.uri ? -1 : 1)),
    files,
    folders: new Map([...folders].map(([uri, children]) => [uri, [...children.values()]])),
  }
}

/** The address of a file or directory. */
function uriOf(names: readonly string[]): string {
  return `skill://${names.map(encodeURIComponent).join('/')}`
}

function entryOf({ names, files, frontmatter }: OpenSkill): SkillEntry {
  return {
    uri: uriOf([...names, skillFileName]),
    frontmatter: frontmatter as SkillFrontmatter,
    resources: files.map(({ names: own, digest, size }) => ({ uri: uriOf(own), digest, size })),
  }
}

interface Placed {
  readonly names: readonly string[]
  readonly mimeType: string
  readonly size: number
  readonly frontmatter: SkillFrontmatter
}

/** Puts a file into its directory, and each directory on the way down from the skill into the one above it. */
function place(folders: Map<string, Map<string, Resource>>, root: readonly string[], file: Placed): void {
  const { names, mimeType, size, frontmatter } = file
  for (let depth = root.length; depth < names.length; depth++) {
    const folder = uriOf(names.slice(0, depth))
    const uri = uriOf(names.slice(0, depth + 1))
    const children = folders.get(folder) ?? new Map<string, Resource>()
    folders.set(folder, children)
    const name = names[depth] as string
    const isFile = depth === names.length - 1
    const isManifest = isFile && depth === root.length && name === skillFileName
    if (isManifest) children.set(uri, skillResource(uri, frontmatter, { mimeType, size }))
    else if (!children.has(uri))
      children.set(uri, { uri, name, ...(isFile ? { mimeType, size } : { mimeType: directoryType }) })
  }
}

/** A `SKILL.md` as it is listed: under the name of its skill. */
function skillResource(uri: string, { name, description }: SkillFrontmatter, more: Partial<Resource>): Resource {
  return { uri, name, description, ...more }
}
