import { type HeaderParam, headerParams } from '../model/header-params.ts'
import type { Tool } from '../model/types.ts'
import type { Adapted, AnySchema } from '../schema/adapter.ts'
import { objectSchema } from '../schema/object-schema.ts'
import type { Fields } from '../wire/messages.ts'
import { adaptOfferSchema, deriveOfferSchema } from './adapt-schema.ts'
import { type PacedCalls, pacedTool } from './call-rates.ts'
import { checkListed } from './check-definition.ts'
import type { Context } from './context.ts'
import type { ToolDefinition } from './definitions.ts'
import type { ExtendedTool } from './extended-tool.ts'
import type { Offer, Warn } from './registry.ts'

type AnyHandler = (input: never, ctx: Context) => unknown
type AnyDefinition = ToolDefinition<AnySchema | undefined, AnySchema | undefined>
type Listed = Omit<Tool, 'name'>

/** A tool in the registry of a server, with compiled schemas. */
export interface ToolEntry extends Offer {
  /** The listed prompt, without its name. */
  listed(): Promise<Listed>
  /** The header parameters; none before the schema has been listed. */
  headerParams(): readonly HeaderParam[]
  readonly input: Adapted | undefined
  readonly output: Adapted | undefined
  readonly handler: AnyHandler
  /** The rates of its calls, if there are any. */
  readonly paced: PacedCalls | undefined
  /** The data of extensions, by their id. */
  readonly kept?: { readonly [extension: string]: unknown }
  /** The work of extensions in the calls of tools; undefined where none is enabled. */
  readonly extended?: ExtendedTool
}

interface Schemas {
  readonly input?: Fields | undefined
  readonly output?: Fields | undefined
}

/** Makes an entry of a tool definition. */
export function toolEntry(name: string, definition: AnyDefinition, handler: AnyHandler): ToolEntry {
  const { visible, scopes } = definition
  const what = `tool "${name}"`
  const input = adaptOfferSchema(what, 'input', definition.input)
  const output = adaptOfferSchema(what, 'output', definition.output)
  const describe = (schemas: Schemas): Listed => describeTool(definition, schemas, what)
  checkListed(what, 'Tool', { name, ...describe({}) })
  let headers: readonly HeaderParam[] | undefined
  let listed: Promise<Listed> | undefined
  return {
    visible,
    scopes,
    input,
    output,
    handler,
    paced: pacedTool(name, definition.limits),
    headerParams() {
      headers ??= headersOf(input)
      return headers ?? noHeaders
    },
    listed() {
      listed ??= Promise.all([input?.input(), output?.output()]).then(([input, output]) => describe({ input, output }))
      return listed
    },
    prepare(warn) {
      const sides = [deriveOfferSchema('input', input?.input), deriveOfferSchema('output', output?.output)]
      const judge = ([input, output]: readonly (Fields | undefined)[]): void => {
        checkListed(what, 'Tool', { name, ...describe({ input, output }) })
        warnOfHeaders(name, input, warn)
      }
      if (sides.some((side) => side instanceof Promise)) return Promise.all(sides).then(judge)
      return judge(sides as readonly (Fields | undefined)[])
    },
  }
}

const noHeaders: readonly HeaderParam[] = []

/** The header parameters of a schema; undefined while it is being derived. */
function headersOf(input: Adapted | undefined): readonly HeaderParam[] | undefined {
  const json = input ? input.input() : {}
  if (json instanceof Promise) return undefined
  const params = headerParams(json)
  return typeof params === 'string' ? noHeaders : params
}

function warnOfHeaders(name: string, input: Fields | undefined, warn: Warn): void {
  const problem = headerParams(input ?? {})
  if (typeof problem === 'string')
    warn(`Tool "${name}" may be refused by clients that send arguments as headers: ${problem}`)
}

function describeTool(
  { title, description, icons, annotations, meta }: AnyDefinition,
  { input, output }: Schemas,
  what: string,
): Listed {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: input ? objectSchema(input, `the input of ${what}`) : { type: 'object' },
    ...(output && { outputSchema: output }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  }
}
