/** The words of the contract: what calls, results and tools say in `_meta`, under one key. */
import { InvalidParams, RpcError } from '../../wire/errors.ts'
import { kindOf } from '../../wire/kind-of.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import type { Spilled } from './spilled.ts'

/** The name of the extension, and the key in `_meta`. */
export const contractId = 'dev.trunkline/contract'

/** The part of a result that a caller wants, and its level of detail. */
export interface Want {
  /** For the handler, which decides what that means. */
  readonly detail?: 'brief' | 'normal' | 'full'
  /** The members of the structured content to keep, as JSON Pointers. */
  readonly fields?: readonly string[]
  /** The most bytes of JSON that content and structured content may have. */
  readonly maxBytes?: number
}

/** Terms of a call beside its arguments. */
export interface CallTerms {
  readonly want?: Want
  /** Milliseconds after which the caller stops waiting for the result. */
  readonly deadlineMs?: number
  /** Calls of one caller with the same key are one call. */
  readonly idempotencyKey?: string
  /** Say what would happen, and do nothing. */
  readonly dryRun?: boolean
  /** The plan of a dry run: run only if it still holds. */
  readonly plan?: string
  /** The hash of the definition that the caller relies on. */
  readonly expects?: string
  /** The folder that relative paths start from, as an absolute path on the server's machine. */
  readonly cwd?: string
  /** A name by which signals reach the call while it runs. */
  readonly handle?: string
}

/** The end of a tool, like that of a program. */
export interface Status {
  /** The exit code, or another number that the tool documents. */
  readonly code: number
  readonly class: 'ok' | 'failed' | 'refused' | 'timeout' | 'cancelled' | 'unknown'
}

/** Advice on repeating a failed call, and when. */
export interface RetryHint {
  readonly class: 'transient' | 'rateLimited' | 'permanent' | 'arguments' | 'conflict'
  /** Milliseconds to wait before the next try. */
  readonly afterMs?: number
}

/** Outcome of one step of a tool. */
export interface StepReport {
  readonly name: string
  readonly state: 'done' | 'failed' | 'undone' | 'undo failed' | 'unknown'
  /** Reason why it failed, for people. */
  readonly why?: string
}

/** Parts left out of a result because the caller wanted less. */
export interface LeftOut {
  /** The bytes of JSON of the whole result. */
  readonly bytes: number
  /** The members that were wanted and are not there. */
  readonly missing?: readonly string[]
  /** True if content was cut to fit `maxBytes`. */
  readonly isCut?: boolean
}

/** Terms of a result beside its content. */
export interface ResultTerms {
  readonly status?: Status
  readonly retry?: RetryHint
  readonly steps?: readonly StepReport[]
  readonly leftOut?: LeftOut
  /** A plan that a later call may name. */
  readonly plan?: string
  /** The planned effects of a dry run, in words. */
  readonly effects?: readonly string[]
  /** The result is the recorded one of an earlier call with the same key. */
  readonly isRepeated?: boolean
  /** Address of all of the result, if it was too large to answer with. */
  readonly spilled?: Spilled
}

/** The terms of a call; undefined where it has none, so that it costs nothing. */
export function callTermsOf(params: Fields): CallTerms | undefined {
  const terms = (params._meta as Fields | undefined)?.[contractId]
  if (terms === undefined) return undefined
  if (!isObject(terms)) throw badTerm('', `must be an object, not ${kindOf(terms)}`)
  for (const [name, check] of checks) if (terms[name] !== undefined) check(terms[name], name)
  return terms as CallTerms
}

/** The terms of a result; a server that sends something else is taken to have sent none. */
export function resultTermsOf(result: Fields): ResultTerms | undefined {
  const terms = (result._meta as Fields | undefined)?.[contractId]
  return isObject(terms) ? (terms as ResultTerms) : undefined
}

/** A result with terms added to those that it has. */
export function withResultTerms<Result extends Fields>(result: Result, terms: ResultTerms): Result {
  const meta = result._meta as Fields | undefined
  return { ...result, _meta: { ...meta, [contractId]: { ...resultTermsOf(result), ...terms } } }
}

/** An error about one of the terms of a call. */
export function badTerm(name: string, problem: string, more?: Fields): RpcError {
  const field = `params._meta.${contractId}${name === '' ? '' : `.${name}`}`
  return new RpcError(InvalidParams, `Cannot call the tool: ${field} ${problem}`, { field, ...more })
}

/** The longest key, hash or pointer, in characters. */
const maxKeyChars = 512
const maxPlanChars = 65_536
const maxPathChars = 4_096
const maxPointers = 1_000
// what setTimeout can wait
const maxDelayMs = 2_147_483_647

type Check = (value: unknown, name: string) => void

const isText =
  (maxChars: number): Check =>
  (value, name) => {
    if (typeof value !== 'string' || value === '') throw badTerm(name, `must be a text, not ${kindOf(value)}`)
    if (value.length > maxChars) throw badTerm(name, `must have at most ${maxChars} characters`, { limit: maxChars })
  }

const isCount: Check = (value, name) => {
  if (typeof value !== 'number' || !(value > 0) || value > maxDelayMs)
    throw badTerm(name, `must be a number above 0, at most ${maxDelayMs}`)
}

const checks: readonly (readonly [string, Check])[] = [
  ['want', checkWant],
  ['deadlineMs', isCount],
  ['idempotencyKey', isText(maxKeyChars)],
  [
    'dryRun',
    (value, name) => {
      if (typeof value !== 'boolean') throw badTerm(name, `must be true or false, not ${kindOf(value)}`)
    },
  ],
  ['plan', isText(maxPlanChars)],
  ['expects', isText(maxKeyChars)],
  ['cwd', isText(maxPathChars)],
  ['handle', isText(maxKeyChars)],
]

function checkWant(want: unknown): void {
  if (!isObject(want)) throw badTerm('want', `must be an object, not ${kindOf(want)}`)
  const { detail, fields, maxBytes } = want
  if (detail !== undefined && detail !== 'brief' && detail !== 'normal' && detail !== 'full')
    throw badTerm('want.detail', 'must be "brief", "normal" or "full"')
  if (maxBytes !== undefined) isCount(maxBytes, 'want.maxBytes')
  if (fields === undefined) return
  if (!Array.isArray(fields) || fields.length > maxPointers)
    throw badTerm('want.fields', `must be a list of at most ${maxPointers} JSON Pointers`, { limit: maxPointers })
  for (const [at, pointer] of fields.entries())
    if (typeof pointer !== 'string' || !/^(\/|$)/.test(pointer) || pointer.length > maxKeyChars)
      throw badTerm(`want.fields[${at}]`, 'must be a JSON Pointer, such as "/total" or "/items/0/name"')
}
