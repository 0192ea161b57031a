import type { Fields } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { contractParts, type GivenTerms, hasTerms, readTerms } from '../relay/terms/given-terms.ts'
import { signalsOf } from '../relay/terms/signal-method.ts'
import type { Wanted } from './targets.ts'
import type { View } from './view.ts'

/** Terms that a caller sent beside its arguments; undefined, at no cost, if it sent none. */
export function termsFor({ method, meta }: RelayRequest, wanted: Wanted, view: View): Promise<GivenTerms> | undefined {
  if (method !== 'tools/call') return undefined
  if (hasTerms(meta)) return checkedTerms(meta, wanted, view)
  // a caller that names no handle may send signals to the task that it is given
  const signals = signalsOf(wanted.entry?.definition)
  return signals.length > 0 ? readTerms({}, signals) : undefined
}

/** A caller that was made for another definition is refused. */
async function checkedTerms(meta: Fields, { entry }: Wanted, view: View): Promise<GivenTerms> {
  const given = await readTerms(meta, signalsOf(entry?.definition))
  const { expects } = given.terms
  if (expects === undefined || !entry) return given
  const { badTerm, definitionHash } = await contractParts()
  const shown = view.show(entry) as unknown as Parameters<typeof definitionHash>[0]
  if ((await definitionHash(shown)) === expects) return given
  const problem = `is the hash of another definition of tool "${entry.shown}": list the tools again`
  throw badTerm('expects', problem, { reason: 'changed' })
}
