import { all } from './combine-checks.ts'
import type { Keyword, Site } from './draft.ts'
import { expectList } from './expect-keyword.ts'
import { explainNone } from './explain-none.ts'
import type { Check } from './validation-run.ts'

export const allOf: Keyword = (site) => all(branches(site, 'allOf'))

export const anyOf: Keyword = (site) => {
  const checks = branches(site, 'anyOf')
  return (value, run) => {
    let ok = false
    for (let index = 0; index < checks.length; index++) {
      run.pay(1)
      if (!run.attempt(checks[index] as Check, value)) continue
      // while marks are collected, every matching branch must be checked
      if (!run.marks) return true
      ok = true
    }
    return ok || explainNone(checks, value, run)
  }
}

export const oneOf: Keyword = (site) => {
  const checks = branches(site, 'oneOf')
  return (value, run) => {
    let match = -1
    for (let index = 0; index < checks.length; index++) {
      run.pay(1)
      if (!run.attempt(checks[index] as Check, value)) continue
      if (match >= 0) return run.fail(`must fit only one alternative, but fits both ${match + 1} and ${index + 1}`)
      match = index
    }
    return match >= 0 || explainNone(checks, value, run)
  }
}

export const not: Keyword = ({ schema, subschema }) => {
  const check = subschema(schema.not)
  return (value, run) => !run.test(check, value) || run.fail('must not match the schema under "not"')
}

/** `if` with its `then` and `else`. */
export const conditional: Keyword = ({ schema, subschema }) => {
  const condition = subschema(schema.if)
  const consequence = schema.then === undefined ? undefined : subschema(schema.then)
  const alternative = schema.else === undefined ? undefined : subschema(schema.else)
  return (value, run) => {
    run.pay(2)
    const next = run.attempt(condition, value) ? consequence : alternative
    return next === undefined || next(value, run)
  }
}

function branches(site: Site, keyword: string): readonly Check[] {
  return expectList(site, keyword).map((schema) => site.subschema(schema))
}
