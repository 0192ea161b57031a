import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { InvalidParams, RpcError } from '@trunkline/mcp'

/** Seals the position in a list as a cursor, so that callers can neither read nor make one. */
export interface CursorSeal {
  /** `binding` is the caller and the list that it is for. */
  seal(place: unknown, binding: string): string
  open(cursor: unknown, binding: string): unknown
}

const ivBytes = 12
const tagBytes = 16

/** Seals with the first key; opens with any. */
export function cursorSeal(keys: readonly string[]): CursorSeal {
  const ciphers = keys.map((key) => createHash('sha256').update(`cursor ${key}`).digest())
  const [first = randomBytes(32)] = ciphers
  return {
    seal(place, binding) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(Buffer.from(binding))
      const sealed = Buffer.concat([cipher.update(JSON.stringify(place), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(cursor, binding) {
      const bytes = Buffer.from(String(cursor), 'base64url')
      for (const key of ciphers) {
        try {
          return opened(bytes, key, binding)
        } catch {
          // perhaps the next key; said below when there is none
        }
      }
      throw new RpcError(InvalidParams, 'Cannot go on with the list: "cursor" is not one that this list gave')
    },
  }
}

function opened(bytes: Buffer, key: Buffer, binding: string): unknown {
  const iv = bytes.subarray(0, ivBytes)
  const tag = bytes.subarray(ivBytes, ivBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(binding)).setAuthTag(tag)
  const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  return JSON.parse(text)
}
