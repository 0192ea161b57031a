type Later<Value> = Value | Promise<Value>

/** What is known of a side effect: it has begun, or it is done and this came of it. */
export type StoredEffect = { readonly state: 'begun' } | { readonly state: 'done'; readonly value: unknown }

/** One side effect of one call. */
export interface EffectName {
  /** The call, by a name that only this server gives. */
  readonly call: string
  /** What the author calls the effect. */
  readonly key: string
}

/**
 * Keeps what `ctx.once` did in calls that a client carries on with answers: a request that arrives twice, in whichever process,
 * has its effects once. What a method has done is durable when it returns or its promise resolves.
 */
export interface EffectStore {
  /** Takes down that an effect begins, unless something is known of it, which is returned; it may be forgotten after that time. */
  begin(effect: EffectName, expiresAt: number): Later<StoredEffect | undefined>
  /** Takes down what came of an effect. */
  done(effect: EffectName, value: unknown): Later<void>
  /** Forgets an effect, because it did not happen. */
  undone(effect: EffectName): Later<void>
}
