import { echoCall } from '../wire/messages.ts'
import { httpEntrants, newestOffer, type Question, sessionOffer } from './http-entrants.ts'
import {
  byContestant,
  type Entrant,
  fewWhenQuick,
  type Group,
  type Measurement,
  type Plan,
  turnsToWarm,
} from './measurement.ts'

const text = 'hello while it grows'
const question: Question = { message: (shape, id) => echoCall(shape, id, text), expected: [`"text":"${text}"`] }

/** Cost of a call on a server with more and more tools: it should not grow. */
export const growthTools: Measurement = {
  name: 'growth-tools',
  title: 'cost of a call by the number of tools',
  groups: (plan) =>
    (plan.quick ? [1, 1000] : [1, 10, 100, 1000, 5000]).map((tools) =>
      groupOf(plan, tools, { ...question, tools, offers: newestOffer }),
    ),
}

/** Cost of a call on a server with more and more idle sessions: it should not grow. */
export const growthSessions: Measurement = {
  name: 'growth-sessions',
  title: 'cost of a call by the number of idle sessions with a stream',
  groups: (plan) =>
    (plan.quick ? [10, 200] : [10, 100, 1000, 5000]).map((idleSessions) =>
      groupOf(plan, idleSessions, { ...question, idleSessions, offers: sessionOffer }),
    ),
}

function groupOf(plan: Plan, at: number, asked: Question): Group {
  const entrants = httpEntrants(fewWhenQuick(plan), asked).map(costing)
  return {
    title: at.toLocaleString('en'),
    at,
    unit: 'µs',
    better: 'less',
    rounds: plan.quick ? 2 : 3,
    ...(asked.idleSessions !== undefined && { heat: byContestant }),
    warmUps: turnsToWarm(plan),
    entrants,
  }
}

/** The same entrant, told by the time one call takes at full load. */
function costing(entrant: Entrant): Entrant {
  return {
    ...entrant,
    open: async () => {
      const { sample, close } = await entrant.open()
      return { close, sample: async () => ({ value: 1e6 / (await sample()).value }) }
    },
  }
}
