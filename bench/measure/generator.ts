import { raw } from '../contestants/raw.ts'
import { loadHttp } from '../load/http.ts'
import { hasWrk, loadWithWrk } from '../load/wrk.ts'
import { NotThereYet } from '../process/program.ts'
import { echoCall } from '../wire/messages.ts'
import { httpEntrants, newestOffer } from './http-entrants.ts'
import type { Entrant, Measurement, Plan } from './measurement.ts'

const text = 'hello from both'

/** Our own load generator beside wrk on the raw server: it must not be what limits a figure. */
export const generator: Measurement = {
  name: 'generator',
  title: 'the raw server, loaded by wrk and by our own generator',
  groups: (plan) => [
    {
      title: '',
      unit: 'requests/s',
      better: 'more',
      rounds: plan.quick ? 1 : plan.rounds,
      warmUps: plan.quick ? 0 : 1,
      entrants: [
        ...drivenBy({ ...plan, loadHttp: wrkOrNone }, { contestant: 'raw', variant: 'by wrk' }),
        ...drivenBy({ ...plan, loadHttp }, { contestant: 'own generator', variant: '' }),
      ],
    },
  ],
}

function drivenBy(plan: Plan, name: Pick<Entrant, 'contestant' | 'variant'>): Entrant[] {
  const entrants = httpEntrants(
    { ...plan, contestants: [raw] },
    { message: (shape, id) => echoCall(shape, id, text), expected: [text], offers: newestOffer },
  )
  return entrants.map((entrant) => ({ ...entrant, ...name }))
}

async function wrkOrNone(load: Parameters<typeof loadWithWrk>[0]): ReturnType<typeof loadWithWrk> {
  if (!hasWrk()) throw new NotThereYet('wrk is not installed')
  return loadWithWrk(load)
}
