import type { Value } from '../document/document.ts'

/**
 * The callers that a setting counts for: `project` for those of one project, `host` for all, so that only the person's
 * own file sets it, and `stricter` for all, and a project's file can only make it stricter.
 */
export type Scope = 'project' | 'host' | 'stricter'

/** The changes to a setting that a file may make which no person accepted: any, none, or only stricter ones. */
export type Tightening = 'always' | 'never' | ((next: Value, below: Value | undefined) => boolean)

/** Scope and tightening of a setting. */
export interface SettingRule {
  readonly scope: Scope
  readonly tighter: Tightening
}

/** A number that is stricter the lower it is; a limit where there is none has to be accepted. */
export function lower(next: Value, below: Value | undefined): boolean {
  return below !== undefined && Number(next) <= Number(below)
}

/** The same for a number of which 0 means that there is no limit. */
export function lowerButZero(next: Value, below: Value | undefined): boolean {
  if (next === 0) return below === 0
  return below === 0 || lower(next, below)
}

/** One value that is the strictest. */
export function becomes(strictest: Value): (next: Value) => boolean {
  const tightens = (next: Value): boolean => next === strictest
  fixed.add(tightens)
  return tightens
}

/** A choice among all tightens; a choice where there was one tightens when it chooses less. */
export function partOf(next: Value, below: Value | undefined): boolean {
  if (below === undefined) return true
  return Array.isArray(next) && Array.isArray(below) && next.every((item) => below.includes(item))
}

const fixed = new Set<Tightening>()

/** Whether a change can only ever tighten, whatever counts below it. */
export function isAlwaysTighter({ tighter }: SettingRule, next: Value): boolean {
  if (typeof tighter !== 'function') return tighter === 'always'
  return fixed.has(tighter) && tighter(next, undefined)
}
