import { type Fields, isObject } from '../../wire/messages.ts'
import type { Keyword } from './draft.ts'
import { asNames, expectCount, expectEntries } from './expect-keyword.ts'
import { count, quote } from './message-words.ts'
import { hasAll, hasMember } from './properties.ts'
import type { Check, Run } from './validation-run.ts'

export const minProperties: Keyword = (site) => {
  const limit = expectCount(site, 'minProperties')
  const message = `must have at least ${count(limit, 'property')}`
  return (value, run) => !isObject(value) || countMembers(value, run) >= limit || run.fail(message)
}

export const maxProperties: Keyword = (site) => {
  const limit = expectCount(site, 'maxProperties')
  const message = `must have at most ${count(limit, 'property')}`
  return (value, run) => !isObject(value) || countMembers(value, run) <= limit || run.fail(message)
}

export const propertyNames: Keyword = ({ schema, subschema }) => {
  const check = subschema(schema.propertyNames)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    let walked = 0
    for (const name in value) {
      run.payMember(++walked)
      if ((!ok && !run.explaining) || !hasMember(value, name) || run.test(check, name)) continue
      ok = false
      if (run.explaining) explainName(check, name, run)
    }
    return ok
  }
}

export const dependentRequired: Keyword = (site) =>
  dependent(
    expectEntries(site, 'dependentRequired').map(([name, wanted]) => [name, needs('dependentRequired', wanted)]),
  )

export const dependentSchemas: Keyword = (site) =>
  dependent(expectEntries(site, 'dependentSchemas').map(([name, schema]) => [name, site.subschema(schema)]))

/** `dependencies`, which later became `dependentRequired` and `dependentSchemas`. */
export const dependencies: Keyword = (site) =>
  dependent(
    expectEntries(site, 'dependencies').map(([name, wanted]) => [
      name,
      Array.isArray(wanted) ? needs('dependencies', wanted) : site.subschema(wanted),
    ]),
  )

function dependent(rules: readonly (readonly [name: string, check: Check])[]): Check {
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    run.pay(rules.length)
    for (const [name, check] of rules) if (hasMember(value, name) && !check(value, run)) ok = false
    return ok
  }
}

function needs(keyword: string, wanted: unknown): Check {
  const names = asNames(keyword, wanted)
  return (value, run) => hasAll(value as Fields, names, run)
}

function countMembers(value: Fields, run: Run): number {
  let members = 0
  let walked = 0
  for (const name in value) {
    run.payMember(++walked)
    if (hasMember(value, name)) members++
  }
  return members
}

function explainName(check: Check, name: string, run: Run): void {
  const reasons = run.problemsOf(check, name).map(({ message }) => message)
  run.fail(`must not have the property ${quote(name)}: a name ${reasons.join(' and ')}`)
}
