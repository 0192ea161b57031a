import { SealError, sealer } from '../../../wire/sealed.ts'

export interface NoncesOptions {
  /** Milliseconds for which a nonce is valid. */
  readonly lastsMs: number
  /** The secrets that nonces are derived from; the same in every process. */
  readonly keys: readonly (string | Uint8Array)[] | undefined
  readonly now: () => number
}

/** DPoP nonces: signed timestamps, so that nothing has to be stored. */
export class Nonces {
  readonly #options: NoncesOptions
  readonly #sealer: ReturnType<typeof sealer>
  #latest: { readonly nonce: Promise<string>; readonly madeAt: number } | undefined

  constructor(options: NoncesOptions) {
    const { keys, now } = options
    this.#options = options
    this.#sealer = sealer({ ...(keys && { keys }), now })
  }

  /** The nonce to send now. */
  latest(): Promise<string> {
    const { now, lastsMs } = this.#options
    // replaced early enough that a client can use it for a while
    if (!this.#latest || now() - this.#latest.madeAt >= lastsMs / 2) {
      this.#latest = { nonce: this.#sealer.seal('', binding, now() + lastsMs), madeAt: now() }
    }
    return this.#latest.nonce
  }

  async takes(nonce: unknown): Promise<boolean> {
    if (typeof nonce !== 'string') return false
    try {
      await this.#sealer.open(nonce, binding)
      return true
    } catch (error) {
      if (error instanceof SealError) return false
      throw error
    }
  }
}

const binding = 'dpop nonce'
