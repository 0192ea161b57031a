import { listTools } from '../wire/messages.ts'
import { httpEntrants, newestOffer } from './http-entrants.ts'
import { byVariant, fewWhenQuick, type Measurement, turnsToWarm } from './measurement.ts'

const tools = 500

/** Listings a second of many tools over HTTP. */
export const httpList: Measurement = {
  name: 'http-list',
  title: `tools/list of ${tools} tools over HTTP`,
  groups: (plan) => [
    {
      title: '',
      unit: 'lists/s',
      better: 'more',
      heat: byVariant,
      warmUps: turnsToWarm(plan),
      entrants: httpEntrants(fewWhenQuick(plan), {
        message: listTools,
        expected: [`"echo-${tools - 1}"`],
        tools,
        offers: (offer, contestant) => !plan.quick || newestOffer(offer, contestant),
      }),
    },
  ],
}
