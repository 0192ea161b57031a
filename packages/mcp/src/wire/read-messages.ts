import { classify, Malformed } from './classify.ts'
import { RpcError } from './errors.ts'
import { type JsonLimits, jsonLimits, parseJson } from './json.ts'
import type { Message } from './messages.ts'

/** Limits of reading messages. */
export interface ReadLimits extends JsonLimits {
  /** Messages in one batch. @default 100 */
  readonly maxBatchMessages: number
}

export const readLimits = { ...jsonLimits, maxBatchMessages: 100 } as const satisfies ReadLimits

/** A message or an error, or a batch of them. */
export type Reading = Message | RpcError | readonly (Message | RpcError)[]

/** Reads a message or batch from text. Never throws: returns an error to answer with. */
export function readMessages(text: string, limits: ReadLimits = readLimits): Reading {
  try {
    return readValue(parseJson(text, limits), limits)
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}

/** Reads a message or batch from a parsed value. */
export function readValue(value: unknown, limits: ReadLimits = readLimits): Reading {
  return Array.isArray(value) ? readBatch(value, limits.maxBatchMessages) : classify(value)
}

function readBatch(values: readonly unknown[], limit: number): Reading {
  if (values.length === 0) return new Malformed('Cannot read batch: it is empty')
  if (values.length > limit) return new Malformed(`Cannot read batch: more than ${limit} messages`)
  return values.map(classify)
}
