import type { Line } from '../ledger/line.ts'
import type { RouteContext } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Records an unasked decision of a person, such as trusting a client, so that the ledger explains why calls ran. */
export function recordChange(
  { ledger }: Pick<ApiParts, 'ledger'>,
  { isPage }: RouteContext,
  line: Omit<Line, 'kind' | 'by'>,
): Promise<void> {
  return ledger.decide({ kind: 'changed', ...line, by: isPage ? 'console' : 'command' })
}
