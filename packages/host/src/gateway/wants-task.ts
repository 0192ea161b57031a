import type { Fields } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'

/** Key in `_meta` by which a caller asks for a task, if its revision has no member for it. */
const taskKey = 'dev.trunkline/task'

/** True if a caller wants a task for a call: the older member means nothing where rounds are requests of their own. */
export function wantsTask({ params, rounds, meta }: RelayRequest): boolean {
  return rounds === undefined ? params.task !== undefined : meta?.[taskKey] === true
}

/** The params of a call that shall run as a task. */
export function asTaskParams(params: Fields): Fields {
  return { ...params, _meta: { ...(params._meta as Fields | undefined), [taskKey]: true } }
}
