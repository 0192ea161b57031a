import type { Incoming } from '../../rpc/incoming.ts'
import { McpError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import type { ClientInput } from '../dialect.ts'

/** The input of methods whose handlers cannot ask the client. */
export class NoInput implements ClientInput {
  readonly #incoming: Incoming

  constructor(incoming: Incoming) {
    this.#incoming = incoming
  }

  async ask(): Promise<Fields> {
    throw new McpError(
      'Misuse',
      `Cannot ask the client while serving "${this.#incoming.method}": only tools, prompts and resource reads may`,
    )
  }

  tell(method: string, params: Fields): Promise<void> | undefined {
    return this.#incoming.notify(method, params, { droppable: true })
  }

  async once<T>(_key: string, run: () => T | Promise<T>): Promise<T> {
    return run()
  }

  guard(outcome: Promise<Fields> | Fields): Promise<Fields> | Fields {
    return outcome
  }
}
