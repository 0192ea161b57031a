import { Badge } from '../../parts/badge.tsx'

const tones = { allow: 'good', ask: 'warn', deny: 'bad' } as const

/** Effect of a rule. */
export function EffectBadge({ effect }: { readonly effect: keyof typeof tones }) {
  return <Badge tone={tones[effect]}>{effect}</Badge>
}
