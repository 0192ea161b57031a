import type { ClusterStores } from '../stores/cluster.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { isObject } from '../wire/messages.ts'

/** Stores of a cluster, with times. */
export interface ClusterOptions {
  readonly stores: ClusterStores
  /** Milliseconds after which a process that is no longer heard of counts as ended. @default 15_000 */
  readonly leaseMs?: number
  /** Milliseconds between looks at the store, for what no bell has announced. @default 1_000 */
  readonly pollMs?: number
}

const defaults = { leaseMs: 15_000, pollMs: 1_000 } as const

/** The options of a cluster, from stores alone or with times; stores that lack a member are refused by its name. */
export function clusterOptionsOf(given: ClusterStores | ClusterOptions): Required<ClusterOptions> {
  if (!isObject(given) || 'then' in given) throw refusal(`"cluster" must be stores, not ${kindOf(given)}`)
  const options: Required<ClusterOptions> =
    'stores' in given ? { ...defaults, ...(given as unknown as ClusterOptions) } : { ...defaults, stores: given }
  for (const name of ['leaseMs', 'pollMs'] as const)
    if (!(options[name] > 0)) throw refusal(`"${name}" must be a number of milliseconds above 0`)
  assertMembers(options.stores)
  return options
}

const members = {
  sessions: ['save', 'load', 'drop', 'change', 'version', 'read'],
  events: ['append', 'after', 'appendIf', 'appendNext', 'head', 'drop'],
  limiter: ['take'],
  proofs: ['use'],
  presence: ['beat', 'isLive', 'leave'],
  inbox: ['post', 'take'],
  bell: ['ring', 'listen'],
} as const satisfies { readonly [Name in keyof ClusterStores]?: readonly (keyof ClusterStores[Name])[] }

function assertMembers(stores: ClusterStores): void {
  if (!isObject(stores)) throw refusal(`"stores" must be stores, not ${kindOf(stores)}`)
  for (const [store, methods] of Object.entries(members)) {
    const made: unknown = stores[store as keyof typeof members]
    if (!isObject(made)) throw refusal(`the stores have no "${store}"`)
    const missing = methods.find((method) => typeof (made as { [name: string]: unknown })[method] !== 'function')
    if (missing !== undefined)
      throw refusal(`"${store}" has no method "${missing}", which several processes need; it works in one process`)
  }
}

function refusal(why: string): McpError {
  return new McpError('Misuse', `Cannot serve in a cluster: ${why}`)
}
