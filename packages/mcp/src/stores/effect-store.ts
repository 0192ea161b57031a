type Later<Value> = Value | Promise<Value>

/** State of a side effect: begun, or done with its value. */
export type StoredEffect = { readonly state: 'begun' } | { readonly state: 'done'; readonly value: unknown }

/** One side effect of one call. */
export interface EffectName {
  /** The call, by a name that only this server gives. */
  readonly call: string
  /** The author's key of the effect. */
  readonly key: string
}

/** State of a side effect for one attempt: `unknown` has begun, and its attempt is over without an outcome. */
export type EffectState =
  | { readonly state: 'mine' | 'running' | 'unknown' }
  | { readonly state: 'done'; readonly value: unknown }

/** One attempt at a side effect. */
export interface EffectAttempt {
  /** Name of the attempt, which no other attempt has. */
  readonly attempt: string
  /** Milliseconds for which others take it to be running, unless it is attempted again under the same name. */
  readonly leaseMs: number
  /** Time after which the record may be dropped, as in `Date.now()`. */
  readonly expiresAt: number
  /** True to take over an effect whose outcome is unknown. @default false */
  readonly repeats?: boolean
}

/**
 * Keeps what `ctx.once` did in calls that a client carries on with answers: a request that arrives twice, in whichever process,
 * has its effects once. What a method has done is durable when it returns or its promise resolves. The optional members
 * are for processes that share the store; a store that has one of them has all.
 */
export interface EffectStore {
  /**
   * Records that an effect begins, unless it is known already, which is returned; the record may be dropped after
   * that time.
   */
  begin(effect: EffectName, expiresAt: number): Later<StoredEffect | undefined>
  /** Records the result of an effect. */
  done(effect: EffectName, value: unknown): Later<void>
  /** Deletes an effect that did not happen. */
  undone(effect: EffectName): Later<void>
  /** Begins an effect, or tells its state; an attempt that is made again under the same name is still `mine`. */
  attempt?(effect: EffectName, attempt: EffectAttempt): Later<EffectState>
  /** Records the result of an effect; returns false if another attempt has it. */
  finish?(effect: EffectName, attempt: string, value: unknown): Later<boolean>
  /** Deletes an effect that did not happen; returns false if another attempt has it. */
  abandon?(effect: EffectName, attempt: string): Later<boolean>
}
