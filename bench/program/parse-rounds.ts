import type { Round, RoundOutcome } from './rounds.ts'

/** Reads a stream that arrives as these chunks, and returns how many events were in it. */
export type ReadStream = (chunks: readonly Uint8Array[]) => number

/** Size of what arrives: one event, as many as a socket read brings, or a part of one. */
export type Arrival = 'one at a time' | 'many at once' | 'in parts'

const events = 512
const readBytes = 65_536

/** Runs the rounds the harness asks for: the same stream is read again and again; the seconds are those of the processor. */
export function serveParsing(read: ReadStream): void {
  const chunks = chunksOf(process.env.ARRIVAL as Arrival)
  process.on('message', ({ durationMs }: Round) => process.send?.(parseFor(durationMs, read, chunks)))
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

function parseFor(durationMs: number, read: ReadStream, chunks: readonly Uint8Array[]): RoundOutcome {
  const expected = process.env.ARRIVAL === 'in parts' ? 1 : events
  const start = process.cpuUsage()
  let calls = 0
  for (const end = performance.now() + durationMs; performance.now() < end; calls += expected) {
    const found = read(chunks)
    if (found !== expected) return { failure: `Cannot count ${found} events: ${expected} were sent` }
  }
  const { user, system } = process.cpuUsage(start)
  return { calls, seconds: (user + system) / 1e6, latenciesMs: [] }
}

function chunksOf(arrival: Arrival): readonly Uint8Array[] {
  const encoder = new TextEncoder()
  if (arrival === 'in parts') return cut(encoder.encode(eventOf(1, 'x'.repeat(1024 * 1024))))
  const texts = Array.from({ length: events }, (_, index) => eventOf(index + 1, 'a step of the work was done'))
  return arrival === 'one at a time' ? texts.map((text) => encoder.encode(text)) : cut(encoder.encode(texts.join('')))
}

function cut(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / readBytes)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * readBytes, (index + 1) * readBytes))
}

/** A progress notice as servers of a session send it. */
function eventOf(progress: number, message: string): string {
  const params = { progressToken: 1, progress, total: events, message }
  const data = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })
  return `event: message\nid: 8e1b02f7-4c55-0.${progress}\ndata: ${data}\n\n`
}
