import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The key that signs the chain. */
export interface SigningKey {
  /** In base64 of its SPKI form. */
  readonly publicKey: string
  /** An Ed25519 signature in base64url. */
  sign(text: string): string
}

/** Reads the key; undefined where there is no file, or none that holds a key. */
export function readSigningKey(path: string): SigningKey | undefined {
  try {
    const key = createPrivateKey(readFileSync(path))
    if (key.asymmetricKeyType !== 'ed25519') return undefined
    chmodSync(path, 0o600)
    return signer(key)
  } catch {
    return undefined
  }
}

/** Makes a key that only its owner can read; a file that holds none is kept beside it. */
export function makeSigningKey(path: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  try {
    renameSync(path, `${path}.unreadable`)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error
  }
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return signer(privateKey)
}

/** The public part of a private key in PEM. */
export function publicKeyOf(privatePem: string): string {
  return signer(createPrivateKey(privatePem)).publicKey
}

function signer(key: KeyObject): SigningKey {
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}
