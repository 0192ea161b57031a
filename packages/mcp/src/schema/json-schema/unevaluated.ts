import { isObject } from '../../wire/messages.ts'
import type { Keyword } from './draft.ts'
import { Marks } from './evaluated-marks.ts'
import { hasMember } from './properties.ts'
import type { Check } from './validation-run.ts'

/** Checks a value, and if it passes, checks what that has left unmarked. */
export function withLeftovers(check: Check, leftovers: Check): Check {
  return (value, run) => {
    const outer = run.marks
    run.marks = new Marks()
    const ok = check(value, run) && leftovers(value, run)
    if (ok && outer) run.pay(outer.add(run.marks))
    run.marks = outer
    return ok
  }
}

export const unevaluatedProperties: Keyword = ({ schema, subschema }) => {
  const check = subschema(schema.unevaluatedProperties)
  return (value, run) => {
    if (!isObject(value)) return true
    let ok = true
    let walked = 0
    for (const name in value) {
      run.payMember(++walked)
      if ((!ok && !run.explaining) || !hasMember(value, name) || run.marks?.hasName(name)) continue
      ok = run.member(check, value[name], name) && ok
      run.marks?.name(name)
    }
    return ok
  }
}

export const unevaluatedItems: Keyword = ({ schema, subschema }) => {
  const check = subschema(schema.unevaluatedItems)
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let ok = true
    run.pay(value.length)
    for (let index = 0; index < value.length && (ok || run.explaining); index++)
      if (!run.marks?.hasItem(index)) ok = run.member(check, value[index], index) && ok
    run.marks?.itemsBefore(value.length)
    return ok
  }
}
