import type { Keyword, Site } from './draft.ts'
import { canonical, isStructure } from './equality-key.ts'
import { expectCount, expectList, refuseSchema } from './expect-keyword.ts'
import { count } from './message-words.ts'
import type { Check } from './validation-run.ts'

export const minItems: Keyword = (site) => {
  const limit = expectCount(site, 'minItems')
  const message = `must have at least ${count(limit, 'item')}`
  return (value, run) => !Array.isArray(value) || value.length >= limit || run.fail(message)
}

export const maxItems: Keyword = (site) => {
  const limit = expectCount(site, 'maxItems')
  const message = `must have at most ${count(limit, 'item')}`
  return (value, run) => !Array.isArray(value) || value.length <= limit || run.fail(message)
}

export const uniqueItems: Keyword = ({ schema: { uniqueItems } }) => {
  if (uniqueItems !== true) return uniqueItems === false ? undefined : refuseSchema('uniqueItems', 'a boolean')
  return (value, run) => {
    if (!Array.isArray(value) || value.length < 2) return true
    const seen = new Map<unknown, number>()
    const seenStructures = new Map<string, number>()
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      run.pay(typeof item === 'string' ? 2 + (item.length >> 8) : 2)
      const first = isStructure(item) ? note(seenStructures, canonical(item, run), index) : note(seen, item, index)
      if (first !== index) return run.fail(`must not repeat an item: [${first}] and [${index}] are equal`)
    }
    return true
  }
}

export const prefixItems: Keyword = (site) => firstItems(site, 'prefixItems')

/** `items` beside `prefixItems`: every item after those. */
export const items: Keyword = ({ schema, subschema }) =>
  itemsFrom(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, subschema(schema.items))

/** `items` as it was before `prefixItems`: a schema for every item, or one for each of the first. */
export const itemsOrList: Keyword = (site) =>
  Array.isArray(site.schema.items) ? firstItems(site, 'items') : itemsFrom(0, site.subschema(site.schema.items))

/** `additionalItems`: those after a list in `items`. */
export const additionalItems: Keyword = ({ schema, subschema }) =>
  Array.isArray(schema.items) ? itemsFrom(schema.items.length, subschema(schema.additionalItems)) : undefined

function firstItems(site: Site, keyword: string): Check {
  const checks = expectList(site, keyword).map((schema) => site.subschema(schema))
  return (value, run) => {
    if (!Array.isArray(value)) return true
    const end = Math.min(checks.length, value.length)
    let ok = true
    run.pay(end)
    for (let index = 0; index < end && (ok || run.explaining); index++)
      ok = run.member(checks[index] as Check, value[index], index) && ok
    run.marks?.itemsBefore(end)
    return ok
  }
}

function itemsFrom(start: number, check: Check): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return true
    let ok = true
    run.pay(value.length)
    for (let index = start; index < value.length && (ok || run.explaining); index++)
      ok = run.member(check, value[index], index) && ok
    run.marks?.itemsBefore(value.length)
    return ok
  }
}

/** Index at which a key was noted first. */
function note<Key>(seen: Map<Key, number>, key: Key, index: number): number {
  const first = seen.get(key) ?? index
  if (first === index) seen.set(key, index)
  return first
}
