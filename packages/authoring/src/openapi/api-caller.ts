import type { Context, Fields, Reply } from '@trunkline/mcp'
import { compile, type Validate } from '@trunkline/mcp/json-schema'
import { apiResult } from './api-answer.ts'
import { isOpenToOthers } from './base-address.ts'
import { buildRequest } from './build-request.ts'
import { type Credentials, credentialsFor } from './credentials.ts'
import type { ApiOperation } from './operation.ts'
import { operationOutput } from './operation-schemas.ts'
import { type ApiResponse, sendRequest } from './send-request.ts'

/** Address and credentials of calls to an API. */
export interface ApiCallerOptions {
  readonly root: Fields
  readonly base: URL
  readonly credentials: Credentials
  readonly timeoutMs: number
  /** True if answers are checked against the description. */
  readonly promisesAnswers: boolean
}

/** Calls operations of one API at one address. */
export class ApiCaller {
  readonly #options: ApiCallerOptions
  // compiled when it is first needed: of a thousand operations few are called
  readonly #outputs = new Map<string, Validate>()

  constructor(options: ApiCallerOptions) {
    this.#options = options
  }

  async call(operation: ApiOperation, given: Fields, ctx: Context): Promise<Reply> {
    return apiResult(await this.send(operation, given, ctx), this.#outputOf(operation))
  }

  async send(operation: ApiOperation, given: Fields, { signal }: Context): Promise<ApiResponse> {
    const { base, credentials: all, timeoutMs } = this.#options
    const credentials = credentialsFor(operation, all)
    if (credentials.length > 0 && isOpenToOthers(base))
      throw new Error(
        `Cannot call ${operation.name}: credentials are not sent to ${base.origin}, where others could read them`,
      )
    const late = AbortSignal.timeout(timeoutMs)
    try {
      return await sendRequest(buildRequest(operation, { base, given, credentials }), AbortSignal.any([signal, late]))
    } catch (error) {
      if (late.aborted)
        throw new Error(`Cannot wait any longer: ${base.origin} did not answer in ${timeoutMs / 1_000} seconds`)
      throw error
    }
  }

  #outputOf(operation: ApiOperation): Validate | undefined {
    if (!this.#options.promisesAnswers) return undefined
    const known = this.#outputs.get(operation.name) ?? compile(operationOutput(operation, this.#options.root))
    this.#outputs.set(operation.name, known)
    return known
  }
}
