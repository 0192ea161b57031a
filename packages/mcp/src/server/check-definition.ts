import { isStandardSchema } from '../schema/standard.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { nearName } from '../wire/near-name.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { wireShapeOf } from './wire-shapes.ts'

/** The arguments of a definition, unchecked. */
export interface Written {
  readonly kind: 'tool' | 'resource' | 'template' | 'prompt'
  readonly name: unknown
  readonly definition: unknown
  readonly handler: unknown
  /** The members that the definition may have. */
  readonly fields: Iterable<string>
}

const first = { tool: 'name', resource: 'URI', template: 'URI template', prompt: 'name' } as const

/** Checks the arguments of a definition, and says what was expected. */
export function checkDefinition({ kind, name, definition, handler, fields }: Written): void {
  const usage = `write .${kind}(${typeof name === 'string' ? JSON.stringify(name) : first[kind]}, { … }, handler)`
  if (typeof name !== 'string')
    throw misuse(`a ${kind}`, `the first argument must be its ${first[kind]}, not ${kindOf(name)}; ${usage}`)
  const what = `${kind} "${name}"`
  if (typeof definition === 'function' && !isStandardSchema(definition))
    throw misuse(what, `the second argument must be its definition, and the handler the third; ${usage}`)
  if (isStandardSchema(definition)) {
    const member = kind === 'prompt' ? 'arguments' : 'input'
    throw misuse(what, `the second argument is a schema; put it into the definition, as in { ${member}: schema }`)
  }
  if (!isObject(definition))
    throw misuse(what, `the second argument must be an object, not ${kindOf(definition)}; ${usage}`)
  checkMembers(what, definition, new Set(fields))
  if (typeof handler !== 'function')
    throw misuse(what, `the third argument must be its handler, a function, not ${kindOf(handler)}; ${usage}`)
}

/** The names of members in other libraries. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['inputSchema', ['input']],
  ['parameters', ['input', 'arguments']],
  ['params', ['input', 'arguments']],
  ['args', ['input', 'arguments']],
  ['argsSchema', ['arguments']],
  ['schema', ['input', 'arguments']],
  ['outputSchema', ['output']],
  ['returns', ['output']],
  ['_meta', ['meta']],
  ['readOnlyHint', ['annotations']],
  ['destructiveHint', ['annotations']],
  ['idempotentHint', ['annotations']],
  ['openWorldHint', ['annotations']],
])

const handlerNames: ReadonlySet<string> = new Set(['handler', 'execute', 'run', 'call', 'callback', 'load', 'read'])

function checkMembers(what: string, definition: Fields, fields: ReadonlySet<string>): void {
  const stray = Object.keys(definition).find((member) => !fields.has(member))
  if (stray !== undefined)
    throw misuse(what, `its definition has an unknown member "${stray}"; ${remedy(stray, fields)}`)
  for (const member of ['visible', 'list'])
    if (definition[member] !== undefined && typeof definition[member] !== 'function')
      throw misuse(what, `"${member}" must be a function, not ${kindOf(definition[member])}`)
  const { scopes, complete, cache } = definition
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')))
    throw misuse(what, `"scopes" must be a list of strings, not ${kindOf(scopes)}`)
  if (complete !== undefined) checkCompleters(what, complete)
  if (cache !== undefined && !isCacheHint(cache))
    throw misuse(what, '"cache" must be { ttlMs, scope } with a number and "public" or "private"')
}

function remedy(stray: string, fields: ReadonlySet<string>): string {
  const meant = otherNames.get(stray)?.find((name) => fields.has(name)) ?? nearName(stray, fields)
  if (meant !== undefined) return `did you mean "${meant}"?`
  if (handlerNames.has(stray)) return 'the handler is the third argument'
  return 'remove it, or switch on the extension it belongs to in "extensions"'
}

function checkCompleters(what: string, complete: unknown): void {
  if (!isObject(complete)) throw misuse(what, `"complete" must be an object of functions, not ${kindOf(complete)}`)
  for (const [name, completer] of Object.entries(complete))
    if (typeof completer !== 'function')
      throw misuse(what, `"complete.${name}" must be a function, not ${kindOf(completer)}`)
}

/** True if a value is a cache hint. */
export function isCacheHint(cache: unknown): boolean {
  return isObject(cache) && Number.isFinite(cache.ttlMs) && (cache.scope === 'public' || cache.scope === 'private')
}

/** Refuses completers for unknown arguments. */
export function checkCompleted(what: string, complete: Fields, names: readonly string[]): void {
  const problem = completedProblem(complete, names)
  if (problem !== undefined) throw misuse(what, problem)
}

/** Finds the fault in completers of these names; undefined if there is none. */
export function completedProblem(complete: Fields, names: readonly string[]): string | undefined {
  const stray = Object.keys(complete).find((name) => !names.includes(name))
  if (stray === undefined) return undefined
  const near = nearName(stray, names)
  const known = names.length === 0 ? 'there are none' : `there are ${names.map((name) => `"${name}"`).join(', ')}`
  return `"complete" is for "${stray}", which is no argument of it; ${near === undefined ? known : `did you mean "${near}"?`}`
}

/** Refuses an offer that clients could not read in a list. */
export function checkListed(what: string, type: string, listed: unknown): void {
  const problem = wireShapeOf(type).check(listed)
  if (problem) throw misuse(what, describeShapeProblem(problem))
}

/** The error for an invalid definition. */
export function misuse(what: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot add ${what}: ${problem}`)
}
