import type { StoredDefinition } from '../store/tables/definition-table.ts'
import { definitionDiff } from './definition-diff.ts'
import type { Standing } from './entry.ts'
import { scan } from './scan.ts'

/** Usability of an offer, and the reason. */
export interface StandingOf {
  readonly standing: Standing
  readonly why?: string
}

/**
 * Tells if an offer is usable. A changed definition stays callable under the accepted one while the change is not
 * suspicious; each call checks that its arguments fit both.
 */
export function standingOf(stored: StoredDefinition): StandingOf {
  const { accepted, acceptedHash, offered, offeredHash, isHidden } = stored
  if (isHidden) return { standing: 'hidden', why: 'hidden by hand' }
  if (!accepted) return { standing: 'new', why: 'it was not accepted yet' }
  if (!offered) return { standing: 'set aside', why: 'the server does not offer it any more' }
  if (acceptedHash === offeredHash) return { standing: 'usable' }
  const [suspicious] = scan(offered, { seen: accepted }).filter(({ weight }) => weight === 'stops')
  if (suspicious) return { standing: 'set aside', why: `its new definition ${suspicious.why} (${suspicious.at})` }
  const changes = definitionDiff(accepted, offered)
  return {
    standing: 'changed',
    why: changes
      .map(({ why }) => why)
      .slice(0, 3)
      .join('; '),
  }
}
