import { type HeaderParam, headerParams } from '../model/header-params.ts'
import type { ToolTypes } from '../model/server-types.ts'
import type { CallToolResult, Tool } from '../model/types.ts'
import type { Labels } from '../rpc/channel.ts'
import { compile, type Validate } from '../schema/json-schema/compile.ts'
import { describeProblems } from '../schema/problems.ts'
import { HeaderMismatch, McpError, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientLimits } from './client-limits.ts'
import type { RequestOptions } from './client-request.ts'
import { labelsOf } from './header-params.ts'
import { LeastRecentlyUsed } from './least-recently-used.ts'
import { notNamed } from './not-named.ts'
import { Pages } from './pagination.ts'
import { partialResults } from './partial-results.ts'
import type { Requester } from './requester.ts'
import { sizeInMemory } from './size-in-memory.ts'

/** A result whose structured content has the type of the server's definition. */
export type TypedResult<Output> = CallToolResult & { readonly structuredContent?: Output }

export interface ToolsOptions {
  readonly limits: ClientLimits
  /** True if the revision has header parameters. */
  readonly labels: boolean
  warn(message: string): void
  /** Called when the remembered definitions turned out to be outdated. */
  outdated(): void
}

interface Known {
  readonly params: readonly HeaderParam[]
  readonly output: Fields | Validate | undefined
  /** Its bytes before the output check is compiled, which takes about twice as much again. */
  readonly bytes: number
}

/** The tools of the server. */
export class ClientTools<Types extends ToolTypes, Options = unknown, Result = unknown> {
  readonly #requester: Requester
  readonly #options: ToolsOptions
  // the remembered definitions, by name
  readonly #known: LeastRecentlyUsed<Known>

  /** @internal */
  constructor(requester: Requester, options: ToolsOptions) {
    this.#requester = requester
    this.#options = options
    const { maxToolsRemembered: maxEntries, maxToolBytesRemembered: maxBytes } = options.limits
    this.#known = new LeastRecentlyUsed({ maxEntries, maxBytes })
  }

  /** Every tool, fetched page by page. */
  list(options?: RequestOptions): Pages<Tool> {
    const fetch = async (cursor: string | undefined): Promise<Fields> => {
      const result = await this.#requester.request('tools/list', cursor === undefined ? {} : { cursor }, options)
      return { ...result, tools: (result.tools as readonly Tool[]).filter((tool) => this.#learn(tool)) }
    }
    return new Pages('tools', fetch, this.#options.limits)
  }

  /** Calls a tool. A tool that fails answers with `isError`; only a call that fails rejects. */
  async call<Name extends keyof Types & string>(
    name: Name,
    input: Types[Name]['input'],
    options?: RequestOptions & Partial<Options>,
  ): Promise<TypedResult<Types[Name]['output']> & Result> {
    if (typeof name !== 'string')
      throw notNamed({ doing: 'call a tool', wanted: 'name', form: 'call(name, arguments)' }, name)
    const result = await this.send({ name, arguments: input as Fields }, options)
    this.#checkOutput(name, result)
    return result as unknown as TypedResult<Types[Name]['output']> & Result
  }

  /** Calls a tool with unchanged params, and returns the unchanged result. */
  async send(params: Fields, options?: RequestOptions): Promise<Fields> {
    const { name, arguments: input = {} } = params as { readonly name: string; readonly arguments?: Fields }
    const labels = this.#labels(name, input)
    const send = (own: Labels | undefined): Promise<Fields> =>
      this.#requester.request('tools/call', params, options, own)
    try {
      return await send(labels)
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== HeaderMismatch) throw error
      this.#options.outdated()
      await this.list(options).all()
      const renewed = this.#labels(name, input)
      // the same headers would be refused again
      if (JSON.stringify(renewed) === JSON.stringify(labels)) throw error
      return send(renewed)
    }
  }

  #labels(name: string, input: Fields): Labels | undefined {
    const params = this.#known.peek(name)?.params
    return params && params.length > 0 ? labelsOf(params, input) : undefined
  }

  /** Remembers the definition of a tool, unless it cannot be called. */
  #learn({ name, inputSchema, outputSchema }: Tool): boolean {
    const params = this.#options.labels ? headerParams(inputSchema) : []
    if (typeof params !== 'string') {
      const bytes = name.length + sizeInMemory(params) + sizeInMemory(outputSchema)
      this.#known.set(name, { params, output: outputSchema, bytes }, bytes)
      return true
    }
    this.#options.warn(`Left out tool "${name}": ${params}`)
    return false
  }

  #checkOutput(name: string, result: Fields): void {
    const validate = result.isError === true || partialResults.has(result) ? undefined : this.#validatorOf(name)
    if (!validate) return
    const problems = validate(result.structuredContent)
    if (problems.length === 0) return
    const problem = describeProblems(problems)
    throw new McpError('InvalidResponse', `Cannot use what tool "${name}" returned: ${problem}`, { outcome: 'Unknown' })
  }

  #validatorOf(name: string): Validate | undefined {
    const known = this.#known.get(name)
    if (known?.output === undefined || typeof known.output === 'function') return known?.output
    try {
      const output = compile(known.output)
      this.#known.set(name, { ...known, output }, 3 * known.bytes)
      return output
    } catch (error) {
      this.#known.set(name, { ...known, output: undefined }, known.bytes)
      this.#options.warn(`Cannot check what tool "${name}" returns: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
}
