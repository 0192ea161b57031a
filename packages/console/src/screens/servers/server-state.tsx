import type { ServerSummary } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { stateWord } from '../../parts/server-health.ts'

const tones = {
  ready: 'good',
  waiting: 'plain',
  starting: 'accent',
  failing: 'bad',
  failed: 'bad',
  stopped: 'plain',
  disabled: 'plain',
  'needs you': 'warn',
} as const

/** State of a server as a badge. */
export function ServerState({ state }: { readonly state: ServerSummary['state'] | 'disabled' | 'failed' }) {
  return <Badge tone={tones[state]}>{stateWord(state)}</Badge>
}
