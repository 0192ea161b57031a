import type { PromptTypes } from '../model/server-types.ts'
import type { GetPromptResult, Prompt } from '../model/types.ts'
import type { Fields } from '../wire/messages.ts'
import type { ClientLimits } from './client-limits.ts'
import type { RequestOptions } from './client-request.ts'
import { notNamed } from './not-named.ts'
import { Pages } from './pagination.ts'
import type { Requester } from './requester.ts'

/** The prompts of the server. */
export class ClientPrompts<Types extends PromptTypes> {
  readonly #requester: Requester
  readonly #limits: ClientLimits

  /** @internal */
  constructor(requester: Requester, limits: ClientLimits) {
    this.#requester = requester
    this.#limits = limits
  }

  /** Every prompt, fetched page by page. */
  list(options?: RequestOptions): Pages<Prompt> {
    const fetch = (cursor: string | undefined) =>
      this.#requester.request('prompts/list', cursor === undefined ? {} : { cursor }, options)
    return new Pages('prompts', fetch, this.#limits)
  }

  /** The messages of a prompt, filled in with its arguments. */
  async get<Name extends keyof Types & string>(
    name: Name,
    input: Types[Name],
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    if (typeof name !== 'string')
      throw notNamed({ doing: 'get a prompt', wanted: 'name', form: 'get(name, arguments)' }, name)
    const params = { name, arguments: input as Fields }
    return (await this.#requester.request('prompts/get', params, options)) as unknown as GetPromptResult
  }
}
