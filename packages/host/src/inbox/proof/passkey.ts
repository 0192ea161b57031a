import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { ProofError } from './proof-error.ts'

/** The name under which browsers keep passkeys for the console; they take none for an address of numbers. */
export const passkeyHost = 'localhost'

/** A passkey as it is kept. */
export interface Passkey {
  /** In base64url. */
  readonly id: string
  /** By which the person recognises it. */
  readonly name: string
  /** SubjectPublicKeyInfo in base64url. */
  readonly publicKey: string
  /** Of the COSE registry. */
  readonly algorithm: Algorithm
  readonly addedAt: number
}

/** COSE algorithms that are verified: ES256, EdDSA and RS256. @see https://www.iana.org/assignments/cose */
export const algorithms = [-7, -8, -257] as const
export type Algorithm = (typeof algorithms)[number]

/** A new passkey as a browser delivers it, each value in base64url. */
export interface Registration {
  readonly id: string
  readonly publicKey: string
  readonly algorithm: number
  readonly clientData: string
  readonly authenticatorData: string
}

/** A signature as a browser delivers it, each value in base64url. */
export interface Assertion {
  readonly id: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const
const minRsaBits = 2_048

/** The challenge that a browser signed, before anything else is believed of it. */
export function challengeIn(clientData: string): string {
  return String(readClientData(clientData).challenge)
}

/**
 * Checks a new passkey. Without attestation nothing of it is signed: that it is the person's own is shown by the page
 * of the console and the existing proof that it is added with.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
 */
export function checkRegistration(
  given: Registration,
  origin: string,
): Pick<Passkey, 'id' | 'publicKey' | 'algorithm'> {
  checkClientData(given.clientData, 'webauthn.create', origin)
  const data = checkAuthenticator(given.authenticatorData)
  const idLength = data.bytes.length >= 55 ? data.bytes.readUInt16BE(53) : 0
  const id = data.bytes.subarray(55, 55 + idLength).toString('base64url')
  if ((data.flags & flags.attested) === 0 || idLength === 0 || id !== given.id) {
    throw new ProofError('Unfit', 'Cannot add this passkey: the browser named another one than it made')
  }
  const algorithm = algorithms.find((one) => one === given.algorithm)
  if (algorithm === undefined) {
    throw new ProofError('Unfit', `Cannot add this passkey: algorithm ${given.algorithm} is not verified here`)
  }
  readKey({ publicKey: given.publicKey, algorithm })
  return { id, publicKey: given.publicKey, algorithm }
}

/**
 * Checks that a passkey signed, for this very page, with the person verified; returns the counter it reports.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export function checkAssertion(given: Assertion, passkey: Passkey, origin: string): number {
  checkClientData(given.clientData, 'webauthn.get', origin)
  const { bytes, counter } = checkAuthenticator(given.authenticatorData)
  const client = createHash('sha256').update(Buffer.from(given.clientData, 'base64url')).digest()
  const hash = passkey.algorithm === -8 ? null : 'sha256'
  const signature = Buffer.from(given.signature, 'base64url')
  if (!verify(hash, Buffer.concat([bytes, client]), readKey(passkey), signature)) {
    throw new ProofError('Wrong', 'The signature is not one of this passkey')
  }
  return counter
}

function checkClientData(text: string, type: 'webauthn.create' | 'webauthn.get', origin: string): void {
  const data = readClientData(text)
  if (data.type !== type) throw new ProofError('Wrong', `The browser signed "${data.type}", not "${type}"`)
  if (data.origin !== origin) throw new ProofError('Wrong', `The page is at "${data.origin}", not at "${origin}"`)
  if (data.crossOrigin === true || data.topOrigin !== undefined) {
    throw new ProofError('Wrong', 'The page stands within a page of another site')
  }
}

function readClientData(text: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as { readonly [key: string]: unknown }
  } catch {
    // said below
  }
  throw new ProofError('Wrong', 'What the browser signed cannot be read')
}

function checkAuthenticator(text: string): {
  readonly bytes: Buffer
  readonly flags: number
  readonly counter: number
} {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < 37) throw new ProofError('Wrong', 'What the passkey says of itself is too short')
  const expected = createHash('sha256').update(passkeyHost).digest()
  if (!bytes.subarray(0, 32).equals(expected)) {
    throw new ProofError('Wrong', `The passkey was used for another site than "${passkeyHost}"`)
  }
  const given = bytes.readUInt8(32)
  if ((given & flags.present) === 0 || (given & flags.verified) === 0) {
    throw new ProofError('Wrong', 'The passkey did not verify the person: use one with a PIN, a finger or a face')
  }
  return { bytes, flags: given, counter: bytes.readUInt32BE(33) }
}

function readKey({ publicKey, algorithm }: Pick<Passkey, 'publicKey' | 'algorithm'>): KeyObject {
  const key = parsed(publicKey)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const fits = {
    [-7]: type === 'ec' && details?.namedCurve === 'prime256v1',
    [-8]: type === 'ed25519',
    [-257]: type === 'rsa' && (details?.modulusLength ?? 0) >= minRsaBits,
  }
  if (fits[algorithm]) return key
  throw new ProofError('Unfit', `Cannot use this passkey: its key is not one for algorithm ${algorithm}`)
}

function parsed(publicKey: string): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  } catch (error) {
    throw new ProofError('Unfit', `Cannot use this passkey: its key cannot be read (${(error as Error).message})`)
  }
}
