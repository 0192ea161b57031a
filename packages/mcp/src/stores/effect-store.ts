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

/**
 * Keeps what `ctx.once` did in calls that a client carries on with answers: a request that arrives twice, in whichever process,
 * has its effects once. What a method has done is durable when it returns or its promise resolves.
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
}
