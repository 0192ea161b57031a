// region object
import { toFetch } from '@trunkline/mcp/http'
import { clock } from './clock.ts'

export class Clock {
  readonly #handler = toFetch(clock, { hosts: ['clock.example'] })

  fetch(request: Request): Promise<Response> {
    return this.#handler(request)
  }
}
// endregion
