import type { AskingOptions, ClientInput, InputRequired } from '../../dialects/dialect.ts'
import type { Fields } from '../../wire/messages.ts'
import type { Api } from './opentelemetry-api.ts'
import { inject } from './trace-context.ts'

/** Injects the trace context into input requests. */
export class TracedInput implements ClientInput {
  readonly #input: ClientInput
  readonly #api: Api

  constructor(input: ClientInput, api: Api) {
    this.#input = input
    this.#api = api
  }

  ask(method: string, params: Fields, options?: AskingOptions): Promise<Fields> {
    return this.#input.ask(method, inject(this.#api, params, this.#api.context.active()), options)
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    return this.#input.tell(method, params)
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    return this.#input.once(key, run)
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields | InputRequired> | Fields {
    return this.#input.guard(outcome)
  }
}
