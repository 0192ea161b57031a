import { SealError, sealer } from '../../../wire/sealed.ts'

export interface NoncesOptions {
  /** Milliseconds for which one is taken. */
  readonly lastsMs: number
  /** What they are made from, as for a server; the same in every process. */
  readonly keys: readonly (string | Uint8Array)[] | undefined
  readonly now: () => number
}

/** Texts that only this server can have given out, and not long ago; nothing is remembered about them. */
export class Nonces {
  readonly #options: NoncesOptions
  readonly #sealer: ReturnType<typeof sealer>
  #latest: { readonly nonce: Promise<string>; readonly madeAt: number } | undefined

  constructor(options: NoncesOptions) {
    const { keys, now } = options
    this.#options = options
    this.#sealer = sealer({ ...(keys && { keys }), now })
  }

  /** The one to give out now. */
  latest(): Promise<string> {
    const { now, lastsMs } = this.#options
    // another one in time, so that whoever is given it can use it for a while
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
