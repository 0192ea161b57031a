import type { Offer } from '../contestants/contestant.ts'
import { openSessions, post } from '../load/sessions.ts'
import { StdioClient } from '../load/stdio.ts'
import { startHttpServer } from '../process/http-server.ts'
import { startProgram } from '../process/program.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'
import { fewWhenQuick, type Group, type Measurement, type Plan, sampling } from './measurement.ts'

/** Time from the start of a server to its first answer. */
export const firstAnswer: Measurement = {
  name: 'first-answer',
  title: 'from the start of the process to the first answer of a tool',
  groups: (plan) => [withZodRow(groupOf(plan, 'stdio', overStdio)), groupOf(fewWhenQuick(plan), 'http', overHttp)],
}

function groupOf(plan: Plan, transport: 'stdio' | 'http', time: (offer: Offer) => Promise<number>): Group {
  const entrants = plan.contestants.flatMap((contestant) =>
    (contestant[transport] ?? [])
      .filter((_, index) => !plan.quick || index === 0)
      .map((offer) => ({
        contestant: contestant.name,
        variant: transport === 'stdio' ? offer.shape.revision : offer.shape.label,
        open: async () => sampling(() => time(offer)),
      })),
  )
  return { title: transport, unit: 'ms', better: 'less', rounds: plan.quick ? 2 : plan.rounds, entrants }
}

// every contestant's program loads zod, the raw one does not: this row tells zod's share from the library's
function withZodRow(group: Group): Group {
  const open = async () => sampling(() => overStdio({ program: 'raw/stdio-zod', shape: stateless }))
  return { ...group, entrants: [...group.entrants, { contestant: 'raw', variant: 'with zod loaded', open }] }
}

async function overStdio(offer: Offer): Promise<number> {
  const start = performance.now()
  const server = startProgram(offer.program, { hold: 'pipes' })
  try {
    await new StdioClient(server, offer.shape).greet()
    return performance.now() - start
  } finally {
    await server.end()
  }
}

async function overHttp(offer: Offer): Promise<number> {
  const start = performance.now()
  const server = await startHttpServer(offer.program)
  try {
    const [address] = await openSessions(server.port, offer, 1)
    if (address === undefined) throw new Error('Cannot speak to the server: no session opened')
    const words = await (await post(address, echoCall(offer.shape, 1, 'hello'))).text()
    if (!words.includes('"hello"')) throw new Error(`Cannot count the answer "${words.slice(0, 200)}"`)
    return performance.now() - start
  } finally {
    await server.end()
  }
}
