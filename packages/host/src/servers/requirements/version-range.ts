type Version = readonly [major: number, minor: number, patch: number]

/** True if a version is in a range, as in `engines` of a package: `>=22.13`, `^20.19 || >=22`. */
export function fulfils(version: string, range: string): boolean {
  const own = versionOf(version)
  if (own === undefined) return true
  return range.split('||').some((part) => comparatorsOf(part).every((comparator) => holds(own, comparator)))
}

/** The lowest major version in a range, as advice to install. */
export function lowestMajor(range: string): number | undefined {
  const majors = [...range.matchAll(/(?<![\d.<])(?<!<=?\s*)(\d+)(?:\.\d+|\.x)*/g)].map((match) => Number(match[1]))
  return majors.length === 0 ? undefined : Math.max(...majors)
}

interface Comparator {
  readonly sign: string
  readonly version: Version
  /** Number of numbers written. */
  readonly written: number
}

function comparatorsOf(part: string): readonly Comparator[] {
  return [...part.matchAll(/(>=|<=|>|<|=|\^|~)?\s*v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?/g)].map(
    ([, sign = '=', major, minor, patch]) => {
      const numbers = [major, minor, patch].filter((one) => one !== undefined && /^\d+$/.test(one)).map(Number)
      return { sign, version: [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0], written: numbers.length }
    },
  )
}

function holds(own: Version, { sign, version, written }: Comparator): boolean {
  const order = compare(own, version)
  if (sign === '>=') return order >= 0
  if (sign === '>') return order > 0
  if (sign === '<') return order < 0
  if (sign === '<=') return order <= 0
  // "20" and "20.x" mean all of 20; ^ keeps the major, ~ the minor as well
  const same = sign === '^' ? 1 : sign === '~' ? 2 : written
  const isSame = version.slice(0, Math.min(same, written)).every((number, at) => own[at] === number)
  return isSame && (sign === '=' || order >= 0)
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}

function versionOf(text: string): Version | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim()) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}
