import { featureNames } from '../model/features.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type KnownOptions, refuseUnknownOptions } from '../wire/known-options.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { isCacheHint } from './check-definition.ts'
import type { ServerOptions } from './server-options.ts'
import { wireShapeOf } from './wire-shapes.ts'

const known = {
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
  keys: true,
  cache: true,
  pageSize: true,
  declare: true,
  logging: true,
  revisions: true,
  limits: true,
  limiter: true,
  extensions: true,
  effects: true,
  onWatch: true,
  onWarning: true,
  onError: true,
  describeError: true,
} as const satisfies KnownOptions<ServerOptions>

/** Checks the options of a server, and says what was expected. */
export function checkServerOptions(options: unknown): void {
  if (!isObject(options))
    throw misuse(`give its name and version, as in server({ name, version }), not ${kindOf(options)}`)
  refuseUnknownOptions('Cannot make a server', options, known)
  const problem = wireShapeOf('Implementation').check(options)
  if (problem) throw misuse(`${describeShapeProblem(problem)}; give server({ name, version })`)
  if (options.name === '') throw misuse('name must not be empty')
  checkSettings(options)
}

function checkSettings({ instructions, pageSize, cache, declare = [], ...others }: Fields): void {
  for (const name of ['onWatch', 'onWarning', 'onError', 'describeError'])
    if (others[name] !== undefined && typeof others[name] !== 'function')
      throw misuse(`"${name}" must be a function, not ${kindOf(others[name])}`)
  if (instructions !== undefined && typeof instructions !== 'string')
    throw misuse(`"instructions" must be text, not ${kindOf(instructions)}`)
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && (pageSize as number) > 0))
    throw misuse(`"pageSize" must be a whole number above 0, not ${JSON.stringify(pageSize)}`)
  if (cache !== undefined && !isCacheHint(cache))
    throw misuse('"cache" must be { ttlMs, scope } with a number and "public" or "private"')
  if (!Array.isArray(declare)) throw misuse(`"declare" must be a list, not ${kindOf(declare)}`)
  const unknown = declare.find((feature) => !featureNames.includes(feature))
  if (unknown !== undefined)
    throw misuse(
      `"declare" names ${JSON.stringify(unknown)}, which is not a feature; features are ${featureNames.join(', ')}`,
    )
}

function misuse(problem: string): McpError {
  return new McpError('Misuse', `Cannot make a server: ${problem}`)
}
