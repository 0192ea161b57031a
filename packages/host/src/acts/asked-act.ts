import type { Fields } from '@trunkline/mcp'
import type { Act, Principal } from '../act/act.ts'
import { newActId } from '../act/act-id.ts'
import { randomHex } from '../act/random-hex.ts'
import { serverNameOf } from '../act/server-key.ts'
import type { Policy } from '../policy/policy.ts'
import type { OpenCall } from '../relay/open-call.ts'
import type { ServerAsking } from '../relay/server-questions.ts'
import type { CountAct } from './limit.ts'
import type { RecordParts } from './record.ts'

/** Dependencies of acts that servers ask for. */
export interface AskedActParts extends RecordParts {
  policy(act: Act): Policy
  /** The principal and project of a call. */
  callerOf(call: OpenCall): { readonly principal: Principal; readonly project: string | undefined }
  readonly countAct: CountAct
}

/** The request of a server as an act of the caller it works for; as its own act if the caller is not known. */
export function askedAct(kind: 'sample' | 'elicit', params: Fields, asked: ServerAsking, parts: AskedActParts): Act {
  const { serverKey, call, byCaller } = asked
  const name = `server ${serverNameOf(serverKey)}`
  const caller = call && parts.callerOf(call)
  return {
    id: newActId(),
    kind,
    principal: caller?.principal ?? { id: `server ${serverKey}`, name, isApprover: false },
    project: caller?.project,
    server: serverNameOf(serverKey),
    serverKey,
    target: `@${kind}`,
    arguments: params,
    definition: undefined,
    class: 'unknown',
    effects: [],
    ...(byCaller && { answeredBy: 'caller' }),
    trace: randomHex(32),
    at: Date.now(),
  }
}
