/** True if a version such as `20.19.2` is that release of Node or a later one. */
export function isAtLeast(version: string, release: string): boolean {
  return compare(numbersOf(version), numbersOf(release)) >= 0
}

/** True if a range as in `engines`, such as `^20.19.0 || >=22.12`, accepts a version. */
export function acceptsVersion(range: string, version: string): boolean {
  const wanted = numbersOf(version)
  return range.split('||').some((part) => {
    const comparators = part.trim().match(/[<>=^~]*\s*[\dx*][\w.*-]*/gi) ?? []
    return comparators.every((comparator) => holds(comparator, wanted))
  })
}

type Numbers = readonly number[]

function holds(comparator: string, version: Numbers): boolean {
  const [, operator = '', text = ''] = /^([<>=^~]*)\s*(.*)$/.exec(comparator) ?? []
  const bound = numbersOf(text)
  const difference = compare(version, bound)
  if (operator === '>=') return difference >= 0
  if (operator === '<=') return difference <= 0
  if (operator === '>') return difference > 0
  if (operator === '<') return difference < 0
  // the other operators name a first version and how much of it stays as it is
  const fixed = operator === '^' ? 1 : operator === '~' ? 2 : bound.length
  return difference >= 0 && compare(version.slice(0, fixed), bound.slice(0, fixed)) === 0
}

/** The numbers of a version up to the first that may be any. */
function numbersOf(version: string): Numbers {
  const parts = version.split('.')
  const open = parts.findIndex((part) => !/^\d/.test(part))
  return parts.slice(0, open < 0 ? parts.length : open).map((part) => Number.parseInt(part, 10))
}

function compare(one: Numbers, other: Numbers): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
