import type { Line } from '../ledger/line.ts'
import type { RouteContext } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Records what a person decided without being asked, such as whom they trust, so that the ledger tells why calls ran. */
export function recordChange(
  { ledger }: Pick<ApiParts, 'ledger'>,
  { isPage }: RouteContext,
  line: Omit<Line, 'kind' | 'by'>,
): Promise<void> {
  return ledger.decide({ kind: 'changed', ...line, by: isPage ? 'console' : 'command' })
}
