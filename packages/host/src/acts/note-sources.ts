import type { Fields, Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import { scanResult } from '../catalogue/scan-result.ts'
import { isUntrusted } from '../policy/taint.ts'
import type { Taints } from '../policy/taints.ts'
import type { ActHandler } from './doing.ts'

/** Notes whose data a principal has read, and marks results of untrusted servers; their content stays as it is. */
export function noteSources(taints: Taints): Interceptor<ActHandler> {
  return (next) => (doing) => next(doing).then((result) => cameFrom(doing.act.serverKey, result, doing.act, taints))
}

/** A result of a server as its reader gets it. */
export function cameFrom(server: ServerKey, result: Fields, act: Act, taints: Taints): Fields | Promise<Fields> {
  if (act.kind !== 'call' && act.kind !== 'read' && act.kind !== 'skill' && act.kind !== 'prompt') return result
  const noted = taints.note(act, server)
  const shown = isUntrusted(taints.markOf(server)) ? marked(result, serverNameOf(server)) : result
  return noted === undefined ? shown : noted.then(() => shown)
}

/** Marks the result of an untrusted server, and names passages in it that address a model; its content is unchanged. */
function marked(result: Fields, server: ServerName): Fields {
  const suspicious = scanResult(result)
  const meta = { ...(result._meta as Fields | undefined), 'dev.trunkline/untrusted': server }
  return { ...result, _meta: suspicious.length === 0 ? meta : { ...meta, 'dev.trunkline/suspicious': suspicious } }
}
