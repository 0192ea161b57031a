import type { HostEvent } from '@trunkline/host/page-api'
import { authorization, HostRefusal } from './call.ts'

/** An event that is larger than this is not one of ours. */
const maxEventLength = 8 * 1024 ** 2

/** Reads the host's stream of events until it ends: those of each piece that arrives, together. */
export async function* readEvents(signal: AbortSignal): AsyncGenerator<readonly HostEvent[]> {
  const response = await fetch('/api/events', { headers: authorization(), signal, cache: 'no-store' })
  if (!response.ok || !response.body) throw new HostRefusal(response.status, 'The host did not open its events')
  // it answers, even while nothing happens
  yield []
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    if (text.length > maxEventLength) throw new Error('The host sent an event that is too large')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield blocks.flatMap((block) => (block.startsWith('data: ') ? [JSON.parse(block.slice('data: '.length))] : []))
  }
}
