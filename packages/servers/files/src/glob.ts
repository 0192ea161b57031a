/**
 * True if a path with forward slashes fits a pattern: `*` stands for any characters of one name, `?` for one, `**` for
 * any number of names. A pattern without a slash is about the last name alone. Takes time in proportion to both lengths.
 */
export function fitsGlob(pattern: string, path: string): boolean {
  const names = path.split('/')
  if (!pattern.includes('/')) return fitsName(pattern, names.at(-1) ?? '')
  const parts = pattern.replace(/^\.?\//, '').split('/')
  // places of the pattern that the names so far can have reached
  let reached = skipDoubleStars(parts, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const at of reached) {
      const part = parts[at]
      if (part === '**') next.add(at)
      else if (part !== undefined && fitsName(part, name)) next.add(at + 1)
    }
    reached = skipDoubleStars(parts, next)
  }
  return reached.has(parts.length)
}

/** `**` may also stand for no name at all. */
function skipDoubleStars(parts: readonly string[], reached: Set<number>): Set<number> {
  // a set visits what is added to it during the loop
  for (const at of reached) if (parts[at] === '**') reached.add(at + 1)
  return reached
}

/** One name against one part of a pattern; after a star that failed, the last one tries again one character on. */
function fitsName(pattern: string, name: string): boolean {
  let [at, position, star, retry] = [0, 0, -1, 0]
  while (position < name.length) {
    if (pattern[at] === '*') {
      star = at++
      retry = position
    } else if (pattern[at] === '?' || pattern[at] === name[position]) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++retry
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
