import type { Contestant, Offer } from '../contestants/contestant.ts'
import { holdStreams, openSessions } from '../load/sessions.ts'
import { cpuFlags, metered } from '../process/cpu-time.ts'
import { startHttpServer } from '../process/http-server.ts'
import { type Address, postOf } from '../wire/http.ts'
import type { Message } from '../wire/messages.ts'
import type { Shape } from '../wire/shapes.ts'
import { type Entrant, type Plan, type Sampler, throughput } from './measurement.ts'

/** Request to every server, and the answer it must give. */
export interface Question {
  readonly message: (shape: Shape, id: number) => Message
  /** Parts that every answer must contain. */
  readonly expected: readonly string[]
  /** Connections of the load. @default 32 */
  readonly connections?: number
  /** Tools that the server offers. @default 1 */
  readonly tools?: number
  /** True if the server offers the tool that reports progress. @default false */
  readonly steps?: boolean
  /** Sessions that stay open and idle meanwhile, each with its stream. @default 0 */
  readonly idleSessions?: number
  /** Filter of the offers that take part. @default all */
  readonly offers?: (offer: Offer, contestant: Contestant) => boolean
}

/** Connections of the load, unless a question says otherwise. */
export const connections = 32

// so many that no session has the same id in flight twice, however the generator takes its turns
const requestsInTurn = connections * 32

/** The servers over HTTP that take part, each asked the same question at full load. */
export function httpEntrants(plan: Plan, question: Question): Entrant[] {
  const { offers = () => true } = question
  return plan.contestants.flatMap((contestant) =>
    (contestant.http ?? [])
      .filter((offer) => offers(offer, contestant))
      .map((offer) => ({
        contestant: contestant.name,
        variant: offer.shape.label,
        open: () => openServer(plan, question, offer),
      })),
  )
}

/** Each contestant's first offer, its newest revision. */
export function newestOffer(offer: Offer, { http = [] }: Contestant): boolean {
  return offer === http[0]
}

/** Each contestant's first offer that keeps sessions. */
export function sessionOffer(offer: Offer, { http = [] }: Contestant): boolean {
  return offer === http.find(({ shape }) => shape.session)
}

async function openServer(plan: Plan, question: Question, offer: Offer): Promise<Sampler> {
  const { message, expected, tools = 1, steps = false, idleSessions = 0 } = question
  const server = await startHttpServer(offer.program, { tools, steps, flags: cpuFlags, hold: 'channel' })
  try {
    const idle = await openSessions(server.port, offer, idleSessions)
    const streams = await holdStreams(offer.holdsStreams === true ? idle : [])
    const addresses = await openSessions(server.port, offer, connections)
    const accept = steps ? undefined : offer.accept
    const requests = Array.from({ length: requestsInTurn }, (_, turn) => {
      const address = addresses[turn % connections] as Address
      return postOf({ ...address, accept }, message(offer.shape, turn + 1))
    })
    const load = {
      port: server.port,
      requests,
      expected,
      connections: question.connections ?? connections,
      durationMs: plan.roundMs,
    }
    return {
      sample: async () => throughput(await metered(server, () => plan.loadHttp(load))),
      close: async () => {
        for (const stream of streams) stream.destroy()
        await server.end()
      },
    }
  } catch (cause) {
    await server.end()
    throw cause
  }
}
