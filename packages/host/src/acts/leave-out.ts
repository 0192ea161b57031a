import type { Fields, Interceptor } from '@trunkline/mcp'
import { contractParts } from '../relay/terms/given-terms.ts'
import type { ActHandler, Doing } from './doing.ts'

/** Removes the parts of a result that its caller does not want, even if its server does not know the term. */
export function leaveOut(): Interceptor<ActHandler> {
  return (next) => (doing) => (doing.given?.terms.want ? wanted(doing, next) : next(doing))
}

async function wanted(doing: Doing, next: ActHandler): Promise<Fields> {
  const { want = {} } = doing.given?.terms ?? {}
  const { asWanted, resultTermsOf, withResultTerms } = await contractParts()
  const result = await next(doing)
  const { leftOut } = resultTermsOf(result) ?? {}
  if (!leftOut) return asWanted(result, want)
  // its server chose the fields already, and is not believed about the bytes
  const { maxBytes } = want
  const again = maxBytes === undefined ? result : asWanted(result, { maxBytes })
  const { isCut } = resultTermsOf(again)?.leftOut ?? {}
  return withResultTerms(again, { leftOut: { ...leftOut, ...(isCut && { isCut }) } })
}
