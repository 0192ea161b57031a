import { readFile } from 'node:fs/promises'
import type { Fields } from '@trunkline/mcp'
import { parse } from 'yaml'
import { AuthoringError } from '../failure/authoring-error.ts'

/** A description of an API, and where it came from. */
export interface ApiDocument {
  readonly root: Fields
  /** The address it was read from, if it was not a file. */
  readonly url?: string
}

const maxDocumentBytes = 33_554_432
const readMs = 30_000

/** Reads an OpenAPI document of version 3.0 or 3.1, JSON or YAML, from a file or a URL. */
export async function readDocument(source: string, signal: AbortSignal): Promise<ApiDocument> {
  const isUrl = /^https?:\/\//i.test(source)
  const text = isUrl ? await download(source, signal) : await readFile(source, 'utf8')
  const root = parseDocumentText(source, text)
  const { openapi, swagger } = root
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi)) {
    const found = openapi ?? (swagger === undefined ? 'nothing' : `swagger ${swagger}`)
    throw new AuthoringError(`Cannot use "${source}": it must say openapi: 3.0.x or 3.1.x, and says ${found}`)
  }
  if (!isObject(root.paths)) throw new AuthoringError(`Cannot use "${source}": paths is missing`)
  return { root, ...(isUrl && { url: source }) }
}

function parseDocumentText(source: string, text: string): Fields {
  try {
    // JSON is YAML too, but the parser for it alone is much faster
    const value = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 1_000 })
    if (isObject(value)) return value
  } catch (error) {
    throw new AuthoringError(`Cannot read "${source}": ${error instanceof Error ? error.message : error}`)
  }
  throw new AuthoringError(`Cannot use "${source}": it holds no object`)
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(readMs)])
  const response = await fetch(url, {
    signal: limit,
    headers: { accept: 'application/json, application/yaml;q=0.9' },
  }).catch((error: unknown) => {
    throw new AuthoringError(`Cannot read "${url}": ${causeOf(error)}`)
  })
  if (!response.ok)
    throw new AuthoringError(`Cannot read "${url}": the answer is ${response.status} ${response.statusText}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxDocumentBytes)
      throw new AuthoringError(`Cannot read "${url}": it has more than ${maxDocumentBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Cause of a failed request, in the words of the layer below. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name) : String(cause)
}

/** True if a value of a document is an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
