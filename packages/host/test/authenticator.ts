import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Assertion, Registration } from '../src/inbox/proof/passkey.ts'

const kinds = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const

/** Differences from the data that an honest browser and authenticator sign. */
export interface Signing {
  readonly origin?: string
  readonly host?: string
  readonly type?: string
  readonly flags?: number
  readonly counter?: number
  readonly more?: object
}

/** An authenticator as browsers speak with it, whose user may be anything but honest. */
export class Authenticator {
  readonly id: string
  readonly algorithm: keyof typeof kinds
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly #origin: string
  counter = 0

  constructor(origin: string, algorithm: keyof typeof kinds = -7) {
    this.#origin = origin
    this.algorithm = algorithm
    this.#keys = kinds[algorithm]()
    this.id = createHash('sha256').update(this.#spki()).digest('base64url')
  }

  register(challenge: string, signing: Signing = {}): Registration {
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const data = this.#data({ flags: 0x45, counter: 0, ...signing })
    return {
      id: this.id,
      publicKey: this.#spki().toString('base64url'),
      algorithm: this.algorithm,
      clientData: this.#client(challenge, { type: 'webauthn.create', ...signing }).toString('base64url'),
      authenticatorData: Buffer.concat([data, Buffer.alloc(16), length, id, Buffer.from([0xa0])]).toString('base64url'),
    }
  }

  sign(challenge: string, signing: Signing = {}): Assertion {
    this.counter += 1
    const data = this.#data({ counter: this.counter, ...signing })
    const client = this.#client(challenge, { type: 'webauthn.get', ...signing })
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = sign(this.algorithm === -8 ? null : 'sha256', signed, this.#keys.privateKey)
    return {
      id: this.id,
      clientData: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    }
  }

  #spki(): Buffer {
    return this.#keys.publicKey.export({ format: 'der', type: 'spki' })
  }

  #client(challenge: string, { type, origin = this.#origin, more }: Signing): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...more }))
  }

  #data({ host = 'localhost', flags = 0x05, counter = 0 }: Signing): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(host).digest(), rest])
  }
}
