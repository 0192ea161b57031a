import type { Contestant } from '../contestants/contestant.ts'
import { trunkline } from '../contestants/trunkline.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'
import { httpEntrants } from './http-entrants.ts'
import { byVariant, type Measurement, type Plan, turnsToWarm } from './measurement.ts'
import { stdioGroup } from './stdio-call.ts'

const text = 'hello under no terms'

/** Ours with and without the contract, each in the newest revision. */
const contestants: readonly Contestant[] = [
  ['', trunkline.name],
  ['-contract', 'with the contract'],
].map(([ending, name = '']) => ({
  name,
  http: [{ program: `trunkline/http${ending}`, shape: stateless }],
  stdio: [{ program: `trunkline/stdio${ending}`, shape: stateless }],
}))

/** Cost of a call that uses nothing of the contract, on a server that keeps it. */
export const contract: Measurement = {
  name: 'contract',
  title: 'tools/call with the contract enabled and not used',
  groups: (plan) => {
    const own: Plan = { ...plan, contestants }
    const entrants = httpEntrants(own, {
      message: (shape, id) => echoCall(shape, id, text),
      expected: [`"text":"${text}"`],
    })
    return [
      stdioGroup(own, 'stdio', { inFlight: 64, text }),
      { title: 'HTTP', unit: 'calls/s', better: 'more', entrants, heat: byVariant, warmUps: turnsToWarm(plan) },
    ]
  },
}
