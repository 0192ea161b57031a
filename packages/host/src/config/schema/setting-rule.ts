import type { Value } from '../document/document.ts'

/**
 * The callers that a setting counts for: `project` for those of one project, `host` for all, so that only the person's
 * own file sets it, and `stricter` for all, and a project's file can only make it stricter.
 */
export type SettingScope = 'project' | 'host' | 'stricter'

/** The changes to a setting that a file may make before a person accepted it: the stricter ones. */
export interface Tightening {
  /** The stricter values in words, for the documentation. */
  readonly says: string
  /** True if the answer depends on the value alone, and not on what counts below it. */
  readonly isFixed: boolean
  /** Compares with the value below: that of another layer, or the default; undefined if there is neither. */
  isTighter(next: Value, below: Value | undefined): boolean
}

/** Scope and tightening of a setting. */
export interface SettingRule {
  readonly scope: SettingScope
  readonly tighter: Tightening
}

/** For a setting of which every value tightens. */
export const always: Tightening = { says: 'any', isFixed: true, isTighter: () => true }

/** For a setting that permits something with every value. */
export const never: Tightening = { says: 'none', isFixed: true, isTighter: () => false }

/** For a number that is stricter the lower it is; a limit for something unlimited has to be accepted. */
export const lower: Tightening = { says: 'a lower number', isFixed: false, isTighter: isLower }

/** For such a number, where 0 means no limit. */
export const lowerButZero: Tightening = {
  says: 'a lower number, and not 0',
  isFixed: false,
  isTighter: (next, below) => (next === 0 ? below === 0 : below === 0 || isLower(next, below)),
}

/** For a selection: having one tightens, and so does selecting less. */
export const partOf: Tightening = {
  says: 'a part of what was chosen',
  isFixed: false,
  isTighter: (next, below) =>
    below === undefined || (Array.isArray(next) && Array.isArray(below) && next.every((item) => below.includes(item))),
}

/** For a setting with one value that is the strictest. */
export function becomes(strictest: Value): Tightening {
  return { says: `\`${JSON.stringify(strictest)}\``, isFixed: true, isTighter: (next) => next === strictest }
}

function isLower(next: Value, below: Value | undefined): boolean {
  return below !== undefined && Number(next) <= Number(below)
}
