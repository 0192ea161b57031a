import type { ApiBody } from './operation.ts'

/** A body as it is sent; that of a form with parts names its type itself. */
export interface EncodedBody {
  readonly type?: string
  readonly content: string | Uint8Array | FormData
}

/** Makes the body of a request; bytes come as base64. */
export function encodeBody({ mediaType, files = [] }: ApiBody, value: unknown): EncodedBody {
  if (/json/.test(mediaType)) return { type: mediaType, content: JSON.stringify(value) }
  if (mediaType.startsWith('text/')) return { type: mediaType, content: textOf(value) }
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value).flatMap(pairsOf) : []
  if (/urlencoded/.test(mediaType)) {
    const texts = pairs.map(([name, item]) => [name, textOf(item)])
    return { type: mediaType, content: new URLSearchParams(texts).toString() }
  }
  if (!/multipart/.test(mediaType)) return { type: mediaType, content: Buffer.from(String(value), 'base64') }
  const form = new FormData()
  for (const [name, item] of pairs) {
    if (files.includes(name)) form.append(name, new Blob([Buffer.from(String(item), 'base64')]), name)
    else form.append(name, textOf(item))
  }
  return { content: form }
}

/** A list is sent as one field for each of its items. */
function pairsOf([name, value]: [string, unknown]): readonly (readonly [string, unknown])[] {
  return (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const)
}

/** Text form of a value. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
