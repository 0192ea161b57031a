import type { ServerSummary } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'

const tones = {
  ready: 'good',
  waiting: 'plain',
  starting: 'accent',
  failing: 'bad',
  stopped: 'plain',
  disabled: 'plain',
  'needs you': 'warn',
} as const

/** How a server is doing. */
export function ServerState({ state }: { readonly state: ServerSummary['state'] | 'disabled' }) {
  return <Badge tone={tones[state]}>{state}</Badge>
}
