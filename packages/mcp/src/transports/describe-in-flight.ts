import { methods } from '../model/features.ts'
import type { Incoming } from '../rpc/incoming.ts'

/** Describes requests, such as `tools/call "report"`; listen requests are left out. */
export function describeInFlight(requests: readonly Incoming[]): readonly string[] {
  return requests.filter(({ method }) => method !== 'subscriptions/listen').map(describe)
}

function describe({ method, params }: Incoming): string {
  const { named } = methods.get(method) ?? {}
  return named === undefined ? method : `${method} ${JSON.stringify(params[named])}`
}

const mostNamed = 5

/** The notice about requests in flight at shutdown; undefined when there are none. */
export function endingNotice(underWay: readonly string[], drainMs: number): string | undefined {
  if (underWay.length === 0) return undefined
  const times = new Map<string, number>()
  for (const request of underWay) times.set(request, (times.get(request) ?? 0) + 1)
  const named = Array.from(times, ([request, count]) => (count === 1 ? request : `${count} times ${request}`))
  const more = named.length > mostNamed ? ` and ${named.length - mostNamed} others` : ''
  const list = `${named.slice(0, mostNamed).join(', ')}${more}`
  return `Waiting up to ${Math.ceil(drainMs / 1_000)} s for ${list}; a second signal ends at once`
}
