import type { Fields } from '@trunkline/mcp'
import type { Act, ActKind, ToolClass } from '../act/act.ts'
import { newActId } from '../act/act-id.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { effectsOf } from '../catalogue/effects.ts'
import type { Entry } from '../catalogue/entry.ts'

/** An act that is judged and not done. */
export interface SupposedAct {
  readonly kind: ActKind
  readonly serverKey: ServerKey
  readonly target: string
  readonly arguments: Fields
  /** Name of the client. @default `somebody` */
  readonly client?: string | undefined
  /** @default that of the accepted definition */
  readonly class?: ToolClass | undefined
  readonly project?: string | undefined
}

/** An act as its client would send it, for a tool as it is known. */
export function supposedAct({ principals }: Host, entry: Entry | undefined, supposed: SupposedAct): Act {
  const { client = 'somebody', project, ...told } = supposed
  const known = principals.all().find(({ name }) => name === client)
  return {
    ...told,
    server: serverNameOf(told.serverKey),
    id: newActId(),
    principal: known ?? { id: client, name: client, isApprover: false },
    project,
    definition: entry?.hash,
    class: supposed.class ?? entry?.class ?? 'unknown',
    effects: entry ? effectsOf(entry.definition) : [],
    trace: '',
    at: Date.now(),
  }
}
