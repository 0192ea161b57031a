import { once } from 'node:events'
import type { Contestant, Offer } from '../contestants/contestant.ts'
import { holdStreams, openSessions } from '../load/sessions.ts'
import { type HttpServer, startHttpServer } from '../process/http-server.ts'
import { erasedFile } from '../process/places.ts'
import { fewWhenQuick, type Group, type Measurement, type Plan, sampling } from './measurement.ts'

const warmUp = 50

/** Heap that a server keeps for each client that only waits. */
export const heap: Measurement = {
  name: 'heap',
  title: 'heap of the server for each client that waits',
  groups: (plan) => [
    groupOf(plan, 'idle session with its stream', (offer) => offer.shape.session),
    groupOf(plan, 'listen stream', (offer) => !offer.shape.handshake),
  ],
}

function groupOf(plan: Plan, title: string, fits: (offer: Offer) => boolean): Group {
  const count = plan.quick ? 150 : 900
  const firstFit = ({ http = [] }: Contestant) => http.find((offer) => offer.holdsStreams === true && fits(offer))
  const entrants = fewWhenQuick(plan).contestants.flatMap((contestant) => {
    const offer = firstFit(contestant)
    if (offer === undefined) return []
    const open = async () => sampling(() => kilobytesEach(offer, count))
    return { contestant: contestant.name, variant: offer.shape.label, open }
  })
  return { title, unit: 'KB', better: 'less', rounds: plan.quick ? 1 : 3, entrants }
}

async function kilobytesEach(offer: Offer, count: number): Promise<number> {
  const flags = ['--expose-gc', '--import', erasedFile('probe/heap')]
  const server = await startHttpServer(offer.program, { flags, hold: 'channel' })
  const streams = []
  try {
    streams.push(...(await holdStreams(await openSessions(server.port, offer, warmUp))))
    const before = await heapOf(server)
    streams.push(...(await holdStreams(await openSessions(server.port, offer, count))))
    return ((await heapOf(server)) - before) / count / 1024
  } finally {
    for (const stream of streams) stream.destroy()
    await server.end()
  }
}

async function heapOf({ child }: HttpServer): Promise<number> {
  const answer = once(child, 'message')
  child.send('heap')
  const [bytes] = await answer
  return bytes
}
