import type { Keyword, Site } from './draft.ts'
import { expectCount } from './expect-keyword.ts'
import { count } from './message-words.ts'
import type { Check, Run } from './validation-run.ts'

/** `contains` of a dialect without `minContains` and `maxContains`. */
export const containsAny: Keyword = ({ schema, subschema }) =>
  containing({ check: subschema(schema.contains), min: 1, max: Infinity })

/** `contains` that counts, of the dialect where a matching item still is unevaluated. */
export const containsCounted: Keyword = (site) => containing(counted(site))

/** `contains` that counts, and evaluates the items it matches. */
export const contains: Keyword = (site) => containing({ ...counted(site), evaluates: true })

interface Contained {
  readonly check: Check
  readonly min: number
  readonly max: number
  readonly evaluates?: boolean
}

function counted(site: Site): Contained {
  const { contains, minContains, maxContains } = site.schema
  return {
    check: site.subschema(contains),
    min: minContains === undefined ? 1 : expectCount(site, 'minContains'),
    max: maxContains === undefined ? Infinity : expectCount(site, 'maxContains'),
  }
}

function containing(contained: Contained): Check {
  const { min, max } = contained
  const tooFew = `must contain at least ${count(min, 'matching item')}`
  const tooMany = `must contain at most ${count(max, 'matching item')}`
  return (value, run) => {
    if (!Array.isArray(value)) return true
    const found = countMatches(value, contained, run)
    if (found < min) return run.fail(tooFew)
    return found <= max || run.fail(tooMany)
  }
}

/** Counts until the answer is known, or to the end where every match has to be marked. */
function countMatches(items: readonly unknown[], { check, min, max, evaluates }: Contained, run: Run): number {
  const marks = evaluates ? run.marks : undefined
  const enough = max === Infinity ? min : max + 1
  let found = 0
  for (let index = 0; index < items.length && (found < enough || marks); index++) {
    run.pay(1)
    if (!run.test(check, items[index])) continue
    marks?.item(index)
    found++
  }
  return found
}
