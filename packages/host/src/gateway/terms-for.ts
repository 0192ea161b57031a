import type { Fields } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { contractKey } from '../catalogue/effects.ts'
import { contractParts, type GivenTerms, hasTerms, readTerms } from '../terms/given-terms.ts'
import type { Wanted } from './targets.ts'
import type { View } from './view.ts'

/** Callers that keep the contract are told that it is kept here, for servers that know nothing of it, too. */
export const keptContract = { id: contractKey, handshake: true } as const

/** What a caller asks for beside its arguments; undefined where it asks for nothing, which costs nothing. */
export function termsFor({ method, meta }: RelayRequest, wanted: Wanted, view: View): Promise<GivenTerms> | undefined {
  return method === 'tools/call' && hasTerms(meta) ? checkedTerms(meta, wanted, view) : undefined
}

/** A caller that was made for another definition is refused. */
async function checkedTerms(meta: Fields, { entry }: Wanted, view: View): Promise<GivenTerms> {
  const given = await readTerms(meta)
  const { expects } = given.terms
  if (expects === undefined || !entry) return given
  const { badTerm, definitionHash } = await contractParts()
  const shown = view.show(entry) as unknown as Parameters<typeof definitionHash>[0]
  if ((await definitionHash(shown)) === expects) return given
  const problem = `is the hash of another definition of tool "${entry.shown}": list the tools again`
  throw badTerm('expects', problem, { reason: 'changed' })
}
