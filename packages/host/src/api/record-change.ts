import type { Host } from '../assembly/host.ts'
import type { Line } from '../ledger/line.ts'
import type { RouteContext } from './route.ts'

/** Records an unasked decision of a person, such as trusting a client, so that the ledger explains why calls ran. */
export function recordChange(
  { ledger }: Pick<Host, 'ledger'>,
  { isPage }: Pick<RouteContext, 'isPage'>,
  line: Omit<Line, 'kind' | 'by'>,
): Promise<void> {
  return ledger.decide({ kind: 'changed', ...line, by: isPage ? 'console' : 'command' })
}
