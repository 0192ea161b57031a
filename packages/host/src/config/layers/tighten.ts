import type { Path, Value } from '../document/document.ts'
import { settingRule, usualValue } from '../schema/settings.ts'

/** True if a setting permits nothing that was not permitted before. */
export function tightens(path: Path, next: Value, below: Value | undefined): boolean {
  return settingRule(path)?.tighter.isTighter(next, below ?? usualValue(path)) ?? false
}

/** True if a setting can only ever tighten, so that it needs no acceptance. */
export function alwaysTightens(path: Path, next: Value): boolean {
  const tighter = settingRule(path)?.tighter
  return tighter?.isFixed === true && tighter.isTighter(next, undefined)
}

/** The reason why a project's file cannot set this, with the fix; undefined where it can. */
export function refusedInProject(path: Path, next: Value): { problem: string; fix: string } | undefined {
  const scope = settingRule(path)?.scope
  if (scope === 'host') return { problem: 'counts for the whole host, not for a project', fix: toOwnFile }
  if (scope !== 'stricter' || alwaysTightens(path, next)) return undefined
  return { problem: 'can only be made stricter by a project', fix: toOwnFile }
}

const toOwnFile = 'remove it here, and write it in your own file'
