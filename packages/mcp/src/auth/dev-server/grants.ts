import { toBase64url } from '../../wire/base64url.ts'

/** A grant: client, subject, scopes and resources. */
export interface IssuedGrant {
  readonly clientId: string
  readonly subject: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
}

/** A grant that waits for its code to be redeemed. */
export interface CodeGrant extends IssuedGrant {
  readonly redirectUri: string
  readonly challenge: string
}

export interface GrantsOptions {
  readonly codeMs: number
  readonly refreshMs: number
  /** Codes, and as many families of refresh tokens; the oldest are dropped first. */
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
  /** Set when the code was used: the family of its refresh tokens. */
  family: string | undefined
}

/** Every issued code and refresh token; each works once. */
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

  /** Redeems a code if `accepts` allows it; a code used twice revokes the tokens that came from it. */
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

  /** Replaces a refresh token by the next one; a token used twice revokes its whole family. */
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
