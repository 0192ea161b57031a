import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ProofError } from './proof-error.ts'

/** A PIN as it is kept: salted, hashed slowly, with the parameters of the hash beside it. */
export interface PinHash {
  /** scrypt's cost, block size and parallelization. @see https://www.rfc-editor.org/rfc/rfc7914 */
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
  /** In base64url, as the hash. */
  readonly salt: string
  readonly hash: string
}

/** About a fifth of a second and 64 MiB for each guess. */
const parameters = { cost: 2 ** 16, blockSize: 8, parallelization: 1 } as const
const hashBytes = 32
const minLength = 6
const maxLength = 128

/** Hashes a new PIN; one that is too short to be a proof is refused. */
export async function hashPin(pin: string): Promise<PinHash> {
  const { length } = [...normalized(pin)]
  if (length < minLength || length > maxLength) {
    throw new ProofError('Unfit', `Cannot use this PIN: it needs ${minLength} to ${maxLength} characters`)
  }
  const salt = randomBytes(16)
  const hash = await slowHash(pin, salt, parameters)
  return { ...parameters, salt: salt.toString('base64url'), hash: hash.toString('base64url') }
}

/** True if a PIN is the one that was hashed. */
export async function isRightPin(pin: string, { salt, hash, ...cost }: PinHash): Promise<boolean> {
  const kept = Buffer.from(hash, 'base64url')
  const given = await slowHash(pin, Buffer.from(salt, 'base64url'), cost)
  return kept.length === given.length && timingSafeEqual(kept, given)
}

function slowHash(pin: string, salt: Buffer, cost: Pick<PinHash, keyof typeof parameters>): Promise<Buffer> {
  const options = { ...cost, maxmem: 256 * cost.cost * cost.blockSize }
  return new Promise((resolve, reject) => {
    scrypt(normalized(pin), salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

/** Keyboards write the same letter in different ways. */
function normalized(pin: string): string {
  return pin.normalize('NFKC')
}
