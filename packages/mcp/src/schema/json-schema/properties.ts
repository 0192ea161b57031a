import { type Fields, isObject } from '../../wire/messages.ts'
import { all } from './combine-checks.ts'
import type { Keyword, Site } from './draft.ts'
import { asNames, expectEntries } from './expect-keyword.ts'
import type { Matcher } from './pattern/patterns.ts'
import type { Check, Run } from './validation-run.ts'

/** Rule of a schema for the members of one name. */
interface Rule {
  readonly check: Check | undefined
  readonly required: boolean
}

/** Rule of a schema for the members whose names a pattern matches. */
interface PatternRule {
  readonly matches: Matcher
  readonly check: Check
}

/**
 * `properties`, `patternProperties`, `additionalProperties` and `required` in one walk over the members of the value,
 * which is faster than looking for every name of the schema.
 */
export const members: Keyword = (site) => {
  const { required: names = [] } = site.schema
  const required = [...new Set(asNames('required', names))]
  const rules = rulesOf(site, required)
  const choose = chooser(site)
  return (value, run) => {
    if (!isObject(value)) return true
    let missing = required.length
    let ok = true
    let walked = 0
    for (const name in value) {
      // the walk goes on after a failure, so that all members are paid for and not only the first few
      run.payMember(++walked)
      if ((!ok && !run.explaining) || !hasMember(value, name)) continue
      const rule = rules.get(name)
      if (rule?.required) missing--
      const check = choose ? choose(name, rule?.check, run) : rule?.check
      if (!check) continue
      ok = run.member(check, value[name], name) && ok
      run.marks?.name(name)
    }
    return (missing === 0 || hasAll(value, required, run)) && ok
  }
}

/** True if an object has a member as JSON would have it: its own, and not undefined. */
export function hasMember(value: Fields, name: string): boolean {
  return hasOwn.call(value, name) && value[name] !== undefined
}

/** True if an object has all of some members; each that it lacks is a problem. */
export function hasAll(value: Fields, names: readonly string[], run: Run): boolean {
  let ok = true
  run.pay(names.length)
  for (const name of names) if (!hasMember(value, name)) ok = run.failAt(name, 'is required')
  return ok
}

// inside a for-in loop the engine knows the answer of this one already, unlike that of Object.hasOwn
const { hasOwnProperty: hasOwn } = Object.prototype

function rulesOf(site: Site, required: readonly string[]): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>(required.map((name) => [name, { check: undefined, required: true }]))
  if (site.schema.properties !== undefined)
    for (const [name, schema] of expectEntries(site, 'properties'))
      rules.set(name, { check: site.subschema(schema), required: rules.has(name) })
  return rules
}

/** Finds the check of a member where more than its name in `properties` decides. */
function chooser(site: Site) {
  const { schema, subschema } = site
  const otherwise = schema.additionalProperties === undefined ? undefined : subschema(schema.additionalProperties)
  const patterns = schema.patternProperties === undefined ? [] : patternsOf(site)
  if (patterns.length === 0) return otherwise && ((_name: string, declared: Check | undefined) => declared ?? otherwise)
  return (name: string, declared: Check | undefined, run: Run): Check | undefined => {
    run.pay(patterns.length)
    const checks = patterns.filter(({ matches }) => matches(name, run)).map(({ check }) => check)
    if (declared) checks.push(declared)
    return checks.length === 0 ? otherwise : all(checks)
  }
}

function patternsOf(site: Site): readonly PatternRule[] {
  return expectEntries(site, 'patternProperties').map(([source, schema]) => ({
    matches: site.pattern(source),
    check: site.subschema(schema),
  }))
}
