import type { Act } from '../act/act.ts'
import type { Taint } from '../policy/taint.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { recordChange } from './record-change.ts'

/** Handlers of taints: data that clients have read and that keep other data from leaving unasked. */
export function taintHandlers(parts: ApiParts): Pick<Handlers, 'taint' | 'forgetTaint'> {
  const { taints, principals } = parts
  return {
    taint: () => {
      const names = new Map(principals.all().map(({ id, name }) => [id, name]))
      const items = taints.all().map(({ principalId, project, ...source }) => ({
        client: names.get(principalId) ?? principalId,
        ...(project !== undefined && { project }),
        ...source,
      }))
      return { mode: taints.mode, items }
    },
    async forgetTaint({ client }, context) {
      const id = principals.all().find(({ name }) => name === client)?.id
      if (client !== undefined && id === undefined) {
        throw new ApiError(404, `There is no client "${client}"; "trunkline clients" lists them`)
      }
      await recordChange(parts, context, {
        ...(client !== undefined && { principal: client }),
        outcome: 'taint forgotten',
      })
      return { removed: await taints.forget(id) }
    },
  }
}

/** Taint for which an act would be asked about, in any project where its principal has read something. */
export function taintAnywhere(act: Act, { taints }: Pick<ApiParts, 'taints'>): Taint | undefined {
  const read = taints.all().filter(({ principalId }) => principalId === act.principal.id)
  for (const project of new Set(read.map((one) => one.project))) {
    const taint = taints.of({ ...act, project })
    if (taint) return taint
  }
  return undefined
}
