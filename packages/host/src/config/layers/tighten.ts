import type { Path, Value } from '../document/document.ts'
import { usualValue } from '../schema/settings.ts'

/** What a file that nobody accepted may do with a setting: always, or depending on what counts below it. */
type Tightening = 'always' | ((next: Value, below: Value | undefined) => boolean)

const lower = (next: Value, below: Value | undefined) => below !== undefined && Number(next) <= Number(below)
const becomes = (value: Value) => (next: Value) => next === value

/** The settings with which a project's file can tighten; with any other it would permit something. */
const tightenings: { readonly [pattern: string]: Tightening } = {
  'policy.deny': 'always',
  'policy.ask': 'always',
  'policy.review': 'always',
  'policy.proof': 'always',
  'policy.mode': becomes('enforce'),
  'policy.definitions': becomes('strict'),
  'policy.taint': becomes('strict'),
  'mcpServers.*.disabled': becomes(true),
  'mcpServers.*.tools.except': 'always',
  'mcpServers.*.tools.only': isPartOf,
  'mcpServers.*.startTimeoutMs': lower,
  'mcpServers.*.callTimeoutMs': lower,
  'mcpServers.*.idleMs': lower,
  'mcpServers.*.maxCalls': lower,
  'mcpServers.*.maxMemoryMb': lower,
  'mcpServers.*.maxRepeatsPerMinute': lower,
  'mcpServers.*.sandbox.network': becomes(false),
  'mcpServers.*.sandbox.required': becomes(true),
  'model.budget.requestsPerHour': lower,
  'model.budget.requestsPerDay': lower,
  'model.budget.tokensPerHour': lower,
  'model.budget.tokensPerDay': lower,
  'model.tokensPerDay': lower,
  'host.callsPerMinute': lower,
  'host.maxResultKb': lower,
  'host.startsAtOnce': lower,
  'pipe.maxSteps': lower,
  'pipe.maxNesting': lower,
  'pipe.maxPlanKb': lower,
  'pipe.maxItems': lower,
  'pipe.maxCalls': lower,
  'pipe.maxParallel': lower,
  'pipe.maxKeptMb': lower,
  'pipe.maxMinutes': lower,
  'pipe.maxRuns': lower,
  'pipe.maxRemembered': lower,
}

/** Whether a setting makes nothing possible that was not possible before. */
export function tightens(path: Path, next: Value, below: Value | undefined): boolean {
  const tightening = tighteningOf(path)
  if (typeof tightening === 'function') return tightening(next, below ?? usualValue(path))
  return tightening === 'always'
}

/** Whether a setting can only ever tighten, so that nobody needs to accept it. */
export function alwaysTightens(path: Path, next: Value): boolean {
  return tighteningOf(path) === 'always' || (isFixed(path) && tightens(path, next, undefined))
}

/** Whether the answer depends on the value alone. */
function isFixed(path: Path): boolean {
  const tightening = tighteningOf(path)
  return typeof tightening === 'function' && tightening !== lower && tightening !== isPartOf
}

function tighteningOf(path: Path): Tightening | undefined {
  const key = path.map((part, at) => (at === 1 && path[0] === 'mcpServers' ? '*' : part)).join('.')
  return Object.hasOwn(tightenings, key) ? tightenings[key] : undefined
}

/** A choice among all tools tightens; a choice where there was one tightens when it chooses less. */
function isPartOf(next: Value, below: Value | undefined): boolean {
  if (below === undefined) return true
  return Array.isArray(next) && Array.isArray(below) && next.every((item) => below.includes(item))
}
