import { progressNotices, stepsCall } from '../wire/messages.ts'
import { httpEntrants, newestOffer } from './http-entrants.ts'
import { byVariant, type Measurement, turnsToWarm } from './measurement.ts'

const text = 'hello after steps'

/** Calls a second over HTTP when each answer is a stream of notices and then the result. */
export const httpProgress: Measurement = {
  name: 'http-progress',
  title: `tools/call over HTTP, a stream of ${progressNotices} progress notices each`,
  groups: (plan) => [
    {
      title: '',
      unit: 'calls/s',
      better: 'more',
      heat: byVariant,
      warmUps: turnsToWarm(plan),
      entrants: httpEntrants(plan, {
        message: (shape, id) => stepsCall(shape, id, text),
        expected: [`"progress":${progressNotices}`, `"text":"${text}"`],
        steps: true,
        offers: (offer, contestant) =>
          offer.reportsProgress === true && (!plan.quick || newestOffer(offer, contestant)),
      }),
    },
  ],
}
