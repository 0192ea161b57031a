import { Badge } from '../../parts/badge.tsx'

const tones = { allow: 'good', ask: 'warn', deny: 'bad' } as const

/** What a rule does. */
export function EffectBadge({ effect }: { readonly effect: keyof typeof tones }) {
  return <Badge tone={tones[effect]}>{effect}</Badge>
}
