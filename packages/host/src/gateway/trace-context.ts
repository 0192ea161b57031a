import type { Fields } from '@trunkline/mcp'
import type { Act } from '../acts/act.ts'
import { spanOf } from '../acts/act-id.ts'

/** The trace id that a caller gave; undefined when it gave none. @see https://www.w3.org/TR/trace-context/ */
export function traceIdOf({ _meta }: Fields): string | undefined {
  const traceparent = (_meta as Fields | undefined)?.traceparent
  return typeof traceparent === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] : undefined
}

/** The params with the trace of their act: that of the caller, else one that begins here. */
export function traced(params: Fields, { id, trace }: Act): Fields {
  if (traceIdOf(params) !== undefined) return params
  return { ...params, _meta: { ...(params._meta as Fields | undefined), traceparent: `00-${trace}-${spanOf(id)}-01` } }
}
