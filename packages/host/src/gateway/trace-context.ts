import { type Fields, RpcError } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { spanOf } from '../act/act-id.ts'

/** The trace id that a caller gave; undefined when it gave none. @see https://www.w3.org/TR/trace-context/ */
export function traceIdOf({ _meta }: Fields): string | undefined {
  const traceparent = (_meta as Fields | undefined)?.traceparent
  return typeof traceparent === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] : undefined
}

/** The params with the trace of their act, that of the caller or one that begins here, and one more host in its state. */
export function traced(params: Fields, { id, trace }: Act): Fields {
  const given = params._meta as Fields | undefined
  const traceparent = traceIdOf(params) === undefined ? `00-${trace}-${spanOf(id)}-01` : given?.traceparent
  return { ...params, _meta: { ...given, traceparent, tracestate: stateAfter(given?.tracestate) } }
}

/** Refuses a request that has passed more hosts than a real chain would have. */
export function refuseLoop({ _meta }: Fields): void {
  const state = (_meta as Fields | undefined)?.tracestate
  if (typeof state !== 'string' || countIn(state) < maxHosts) return
  const text = `This call has passed ${maxHosts} hosts, so one of them is behind itself: remove this host from the servers of the others`
  throw new RpcError(-32603, text)
}

const maxHosts = 8
// the standard keeps 32 members, the newest first
const maxMembers = 32
const ownMember = /^trunkline=(\d{1,3})$/

function stateAfter(state: unknown): string {
  if (typeof state !== 'string' || state === '') return 'trunkline=1'
  const others = members(state).filter((member) => !ownMember.test(member))
  return [`trunkline=${countIn(state) + 1}`, ...others].slice(0, maxMembers).join(',')
}

function countIn(state: string): number {
  for (const member of members(state)) {
    const [, count] = ownMember.exec(member) ?? []
    if (count !== undefined) return Number(count)
  }
  return 0
}

function members(state: string): readonly string[] {
  return state.split(',').map((member) => member.trim())
}
