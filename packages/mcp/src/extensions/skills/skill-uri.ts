/** The file that makes a directory a skill. */
export const skillFileName = 'SKILL.md'

const ending = `/${skillFileName}`
const name = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** True if a text can be the name of a skill: lowercase letters, digits and single hyphens inside, 64 at most. */
export function isSkillName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= 64 && name.test(text)
}

/** The rule for names, in words. */
export const skillNameRule = 'a name has 1 to 64 lowercase letters, digits and single hyphens between them'

/** The directory of a skill, without a slash at its end, from the address of its `SKILL.md`. */
export function skillRoot(uri: string): string | undefined {
  const root = uri.endsWith(ending) ? uri.slice(0, -ending.length) : undefined
  const from = root?.indexOf('://') ?? -1
  if (root === undefined || from < 1) return undefined
  return segmentsProblem(root.slice(from + 3)) === undefined ? root : undefined
}

/** The name that an address gives to a skill: that of its directory. */
export function skillNameIn(root: string): string {
  return root.slice(root.lastIndexOf('/') + 1)
}

/** The address of a file of a skill, from its path below the skill's directory. */
export function skillFileUri(root: string, path: string): string {
  return `${root}/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Finds the fault in a path of an address: it must go down, and each step must be one name. */
export function segmentsProblem(path: string): string | undefined {
  for (const segment of path.split('/')) {
    const decoded = decodedSegment(segment)
    if (decoded === undefined) return `"${segment}" is not percent-encoded as it must be`
    if (decoded === '') return 'it has an empty step'
    if (decoded === '.' || decoded === '..') return 'it climbs out of its directory'
    if (/[?#\\]/.test(segment) || /[/\\\0]/.test(decoded)) return `"${segment}" is more than one name`
  }
  return undefined
}

function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
