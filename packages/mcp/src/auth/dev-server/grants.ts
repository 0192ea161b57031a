import { toBase64url } from '../../wire/base64url.ts'

/** What was allowed: which client may do what, for whom and where. */
export interface IssuedGrant {
  readonly clientId: string
  readonly subject: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
}

/** A grant on its way to the client. */
export interface CodeGrant extends IssuedGrant {
  readonly redirectUri: string
  readonly challenge: string
}

export interface GrantsOptions {
  readonly codeMs: number
  readonly refreshMs: number
  /** Codes, and as many families of refresh tokens. The oldest give way. */
  readonly maxGrants: number
  readonly now: () => number
}

interface Family {
  readonly grant: IssuedGrant
  latest: string
  readonly expiresAt: number
}

interface Code {
  readonly grant: CodeGrant
  readonly expiresAt: number
  /** Set when it has been used: what came of it. */
  family: string | undefined
}

/** Every code and refresh token that was given out; each is taken once. */
export class IssuedGrants {
  readonly #options: GrantsOptions
  readonly #codes = new Map<string, Code>()
  readonly #families = new Map<string, Family>()

  constructor(options: GrantsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#codes.size + this.#families.size
  }

  code(grant: CodeGrant): string {
    const code = secret()
    const { codeMs, now } = this.#options
    this.#keep(this.#codes, code, { grant, expiresAt: now() + codeMs, family: undefined })
    return code
  }

  /** What a code stands for, when `accepts` it; one that comes back takes with it what came of it. */
  redeem(
    code: string,
    accepts: (grant: CodeGrant) => boolean,
  ): { grant: IssuedGrant; refreshToken: string } | undefined {
    const known = this.#codes.get(code)
    if (!known || known.expiresAt <= this.#options.now()) return undefined
    if (known.family !== undefined) {
      this.#families.delete(known.family)
      return undefined
    }
    known.family = secret()
    if (!accepts(known.grant)) return undefined
    return { grant: known.grant, refreshToken: this.#start(known.family, known.grant) }
  }

  /** The next refresh token instead of this one; one that comes back ends all that came of the same grant. */
  rotate(
    token: string,
    accepts: (grant: IssuedGrant) => boolean,
  ): { grant: IssuedGrant; refreshToken: string } | undefined {
    const [id = ''] = token.split('.')
    const family = this.#families.get(id)
    if (!family || !accepts(family.grant)) return undefined
    if (family.latest !== token || family.expiresAt <= this.#options.now()) {
      this.#families.delete(id)
      return undefined
    }
    family.latest = `${id}.${secret()}`
    return { grant: family.grant, refreshToken: family.latest }
  }

  #start(id: string, grant: IssuedGrant): string {
    const latest = `${id}.${secret()}`
    const { refreshMs, now } = this.#options
    this.#keep(this.#families, id, { grant, latest, expiresAt: now() + refreshMs })
    return latest
  }

  #keep<Item>(map: Map<string, Item>, key: string, item: Item): void {
    map.set(key, item)
    const [oldest] = map.keys()
    if (map.size > this.#options.maxGrants && oldest !== undefined) map.delete(oldest)
  }
}

function secret(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(32)))
}
