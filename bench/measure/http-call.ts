import { echoCall } from '../wire/messages.ts'
import { connections, httpEntrants, newestOffer, sessionOffer } from './http-entrants.ts'
import { byVariant, fewWhenQuick, type Group, type Measurement, type Plan, turnsToWarm } from './measurement.ts'

const text = 'hello over http'

/** Calls a second over HTTP, in every shape, with few and many tools. */
export const httpCall: Measurement = {
  name: 'http-call',
  title: `tools/call over HTTP, ${connections} connections`,
  groups: (plan) => [
    groupOf(plan, 1, '1 tool'),
    groupOf(fewWhenQuick(plan), 1, '1 connection', 1),
    groupOf(fewWhenQuick(plan), 50, '50 tools'),
    groupOf(fewWhenQuick(plan), 500, '500 tools'),
  ],
}

function groupOf(plan: Plan, tools: number, title: string, over = connections): Group {
  const entrants = httpEntrants(plan, {
    message: (shape, id) => echoCall(shape, id, text),
    expected: [`"text":"${text}"`],
    tools,
    connections: over,
    offers: (offer, contestant) =>
      (tools === 1 && !plan.quick) ||
      newestOffer(offer, contestant) ||
      ((tools === 1 || !plan.quick) && sessionOffer(offer, contestant)),
  })
  return { title, unit: 'calls/s', better: 'more', entrants, heat: byVariant, warmUps: turnsToWarm(plan) }
}
