import type { Caller } from '../dialects/dialect.ts'
import type { FeatureName } from '../model/features.ts'
import type { CacheHint, Implementation } from '../model/types.ts'
import type { EffectStore } from '../stores/effect-store.ts'
import type { Limiter } from '../stores/limiter.ts'
import type { CallRates } from './call-rates.ts'
import type { ServerExtension } from './extension.ts'
import type { FailureOptions } from './handler-errors.ts'
import type { ServerLimits } from './server-limits.ts'

/** Called when a caller watches resources; the returned function is called when it stops. */
export type WatchStart = (uris: readonly string[], caller: Caller) => () => void

/** Options of {@link server}. */
export interface ServerOptions extends Implementation, FailureOptions {
  /** Instructions for the model. */
  readonly instructions?: string
  /** Secrets of at least 32 characters for sealed state; the first seals, all open. @default a random one */
  readonly keys?: readonly (string | Uint8Array)[]
  /** Stores the effects of `ctx.once`, so that answers that a client sends twice have their effects once. @default nothing is stored */
  readonly effects?: EffectStore
  /** Time that lists may be cached. @default not at all */
  readonly cache?: CacheHint
  /** Items per page of a list. @default 1_000 */
  readonly pageSize?: number
  /** Features to declare although nothing of them is offered yet. @default none */
  readonly declare?: readonly FeatureName[]
  /** Lets clients ask for log messages. @default true */
  readonly logging?: boolean
  /** The revisions to serve. @default all */
  readonly revisions?: readonly string[]
  /** Limits of one connection and one call, and how often tools may be called. */
  readonly limits?: Partial<ServerLimits> & CallRates
  /** Counts how often tools are called. @default in the memory of this process */
  readonly limiter?: Limiter
  /** The extensions to enable. @default none */
  readonly extensions?: readonly ServerExtension[]
  /** Called when a caller starts to watch resources; the returned function is called when it stops. */
  readonly onWatch?: WatchStart
  /** Warns the author. @default prints it to standard error */
  readonly onWarning?: (message: string) => void
}

export const serverDefaults = {
  cache: { ttlMs: 0, scope: 'private' },
  pageSize: 1_000,
} as const

/** The name and version of a server. */
export function infoOf({ name, version, title, description, websiteUrl, icons }: ServerOptions): Implementation {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
  }
}

/** The warning for a server without keys. */
export function randomKeyWarning(name: string): string {
  return `Server "${name}" encrypts the state that clients send back with a random key, because no "keys" were given: after a restart, or in another process, calls that wait for input have to start over`
}
