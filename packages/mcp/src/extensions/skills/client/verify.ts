import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import type { SkillFile } from '../skill-entry.ts'

/** The bytes of a file that was read, if they are what its entry says: as many, and with that digest. */
export async function verifiedBytes(result: Fields, file: SkillFile): Promise<Uint8Array> {
  const bytes = bytesIn(result, file.uri, file.size)
  if (bytes.length !== file.size) throw mismatch(file.uri, `it has ${bytes.length} bytes, not ${file.size}`)
  const digest = await sha256(bytes)
  if (digest !== file.digest) throw mismatch(file.uri, `its digest is ${digest}, not ${file.digest}`)
  return bytes
}

/** The bytes of a file that was read; more than `most` are not looked at. */
export function bytesIn(result: Fields, uri: string, most: number): Uint8Array {
  const contents = (result.contents as readonly unknown[]).filter((one) => isObject(one) && one.uri === uri)
  const [content, second] = contents as readonly Fields[]
  if (!content || second) throw mismatch(uri, 'the server did not answer with this one file')
  const { text, blob } = content
  // neither can have fewer bytes than that
  if (typeof text === 'string' && text.length <= most) return new TextEncoder().encode(text)
  if (typeof blob === 'string' && (blob.length / 4) * 3 - 2 <= most) return fromBase64(blob, uri)
  throw mismatch(uri, `it has more than ${most} bytes`)
}

/** The digest of bytes, as entries have it. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Error for a file that is not what its entry says. */
export function mismatch(uri: string, problem: string): McpError {
  return new McpError('InvalidResponse', `Cannot use "${uri}": ${problem}. Get the skill again: it may have changed`)
}

function fromBase64(text: string, uri: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    throw mismatch(uri, 'its "blob" is not base64')
  }
}
