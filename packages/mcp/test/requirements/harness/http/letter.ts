/** Headers of a text that is posted, as the revisions want them. */
import type { Fields } from '../../../../src/wire/messages.ts'
import type { Revision } from '../../requirement.ts'
import { meta } from '../dress.ts'
import { principalHeader } from './node-host.ts'

export type Headers = Readonly<Record<string, string>>

/** Content of a text, as far as that can be read. */
export interface Letter {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Fields
}

/** Reads a text as one message; of anything else nothing is known. */
export function letterOf(text: string): Letter {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** True if a text asks for an answer. */
export function isRequest({ id, method }: Letter): boolean {
  return id !== undefined && method !== undefined
}

/** True if a message stands for itself. */
export function isSelfContained({ params }: Letter): boolean {
  return versionIn(params) !== undefined
}

/** Headers of everything that is posted. */
export function postHeaders(principal: string | undefined): Headers {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...signed(principal),
  }
}

/** Says who is calling. */
export function signed(principal: string | undefined): Headers {
  return principal === undefined ? {} : { [principalHeader]: principal }
}

/** The headers that repeat a part of a message which stands for itself. */
export function headersAbout({ method, params }: Letter, revision: Revision): Headers {
  const version = versionIn(params)
  const name = nameIn(method, params)
  return {
    'mcp-protocol-version': typeof version === 'string' ? version : revision,
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  }
}

function versionIn(params: Fields | undefined): unknown {
  return (params?._meta as Fields | undefined)?.[meta.version]
}

function nameIn(method: unknown, params: Fields | undefined): unknown {
  if (method === 'tools/call' || method === 'prompts/get') return params?.name
  if (method === 'tasks/get' || method === 'tasks/update' || method === 'tasks/cancel') return params?.taskId
  return method === 'resources/read' ? params?.uri : undefined
}

function encoded(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}
