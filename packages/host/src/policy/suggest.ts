import { posix } from 'node:path'
import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../catalogue/entry.ts'
import { isPlainPath } from './paths.ts'

/** A call that a person was asked about, and whether they let it run. */
export interface AnsweredCall {
  readonly server: string
  readonly target: string
  readonly principal: string
  readonly class: ToolClass
  readonly arguments: Fields
  readonly wasAllowed: boolean
}

/** A rule that would have answered what a person answered the same way every time. */
export interface Suggestion {
  readonly rule: string
  readonly server: string
  readonly target: string
  /** How many answers it would have spared. */
  readonly answers: number
  readonly principals: readonly string[]
}

/** Fewer answers than these may be chance. */
const leastAnswers = 3

/** Rules from what was always allowed; what was refused once is left to the person. */
export function suggestRules(calls: readonly AnsweredCall[]): readonly Suggestion[] {
  const tools = new Map<string, AnsweredCall[]>()
  for (const call of calls) {
    const key = JSON.stringify([call.server, call.target])
    const same = tools.get(key)
    if (same) same.push(call)
    else tools.set(key, [call])
  }
  return [...tools.values()]
    .flatMap((answered): Suggestion[] => {
      const [first] = answered
      if (!first || answered.length < leastAnswers || answered.some(({ wasAllowed }) => !wasAllowed)) return []
      const rule = ruleFor(first, answered)
      if (rule === undefined) return []
      const principals = [...new Set(answered.map(({ principal }) => principal))].sort()
      return [{ rule, server: first.server, target: first.target, answers: answered.length, principals }]
    })
    .sort((one, other) => other.answers - one.answers)
}

function ruleFor({ server, target }: AnsweredCall, calls: readonly AnsweredCall[]): string | undefined {
  const name = `${server}:${target}`
  if (/[{}\s]/.test(name)) return undefined
  if (calls.every((call) => call.class !== 'destroys')) return name
  // what destroys is never allowed whatever its arguments are
  const conditions = conditionsOf(calls.map((call) => call.arguments))
  return conditions.length === 0 ? undefined : `${name}{${conditions.join(', ')}}`
}

/** What the arguments of all calls have in common: a value, or the folder that paths lie in. */
function conditionsOf(all: readonly Fields[]): readonly string[] {
  const [first = {}] = all
  return Object.keys(first).flatMap((key) => {
    const values = all.map((one) => one[key])
    const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)
    const [value] = values
    if (values.every((one) => one === value) && isScalar(value)) return [`${name}=${JSON.stringify(value)}`]
    const folder = commonFolder(values)
    return folder === undefined ? [] : [`${name}~${JSON.stringify(`${folder}/**`)}`]
  })
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isAbsolutePath(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/') && isPlainPath(value)
}

/** The folder that holds all of these; undefined when they are no plain paths, or when only the root does. */
function commonFolder(values: readonly unknown[]): string | undefined {
  if (!values.every(isAbsolutePath)) return undefined
  const folders = values.map((value) => posix.dirname(value).split('/'))
  const [first = []] = folders
  let depth = first.length
  while (depth > 1 && folders.some((one) => one.slice(0, depth).join('/') !== first.slice(0, depth).join('/'))) depth--
  const folder = first.slice(0, depth).join('/')
  return folder === '' || /[*?[\]]/.test(folder) ? undefined : folder
}
