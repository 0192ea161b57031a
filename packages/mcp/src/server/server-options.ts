import type { Caller } from '../dialects/dialect.ts'
import type { CacheHint, Implementation } from '../model/types.ts'
import type { EffectStore } from '../stores/effect-store.ts'
import type { ServerExtension } from './extension.ts'
import type { FeatureName } from './feature-table.ts'
import type { FailureOptions } from './handler-errors.ts'
import type { ServerLimits } from './limits.ts'

/** Begins to look after the resources that a caller watches; what it returns ends that. */
export type WatchStart = (uris: readonly string[], caller: Caller) => () => void

/** What a server says of itself, allows and reports. */
export interface ServerOptions extends Implementation, FailureOptions {
  /** How to use this server, for the model. */
  readonly instructions?: string
  /** Secrets of at least 32 characters that seal what clients carry back to us; the first seals, all open. @default a random one */
  readonly keys?: readonly (string | Uint8Array)[]
  /** Keeps what `ctx.once` did after a client came back with answers, so that nobody's second attempt does it twice. @default nothing is kept */
  readonly effects?: EffectStore
  /** How long lists may be reused. @default not at all */
  readonly cache?: CacheHint
  /** Items per page of a list. @default 1_000 */
  readonly pageSize?: number
  /** Features to declare although nothing of them is offered yet. @default none */
  readonly declare?: readonly FeatureName[]
  /** Whether clients may ask for log messages. @default true */
  readonly logging?: boolean
  /** The revisions to serve. @default all */
  readonly revisions?: readonly string[]
  /** What one connection and one call may take. */
  readonly limits?: Partial<ServerLimits>
  /** The extensions to switch on. @default none */
  readonly extensions?: readonly ServerExtension[]
  /**
   * Called when somebody begins to watch resources, so that what changes them is looked at only while it matters; what it
   * returns is called when they stop.
   */
  readonly onWatch?: WatchStart
  /** Told what the author should know. @default prints it to standard error */
  readonly onWarning?: (message: string) => void
}

export const serverDefaults = {
  cache: { ttlMs: 0, scope: 'private' },
  pageSize: 1_000,
} as const

/** What a server says of itself. */
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

/** What an author should know who gave no keys. */
export function randomKeyWarning(name: string): string {
  return `Server "${name}" seals what clients carry back with a random key, because it was given no "keys": after a restart, or in another process, it cannot be read and calls that wait for input start over`
}
