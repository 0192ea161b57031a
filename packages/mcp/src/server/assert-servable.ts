import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { isObject } from '../wire/messages.ts'

/** Refuses to serve something that is not a server, and says what was expected. */
export function assertServable(server: unknown): void {
  if (isObject(server) && typeof server.serve === 'function' && typeof server.answering === 'function') return
  const isPromise = isObject(server) && typeof server.then === 'function'
  const fix = isPromise ? 'await it first' : 'give what server({ name, version }) returns'
  throw new McpError('Misuse', `Cannot serve ${kindOf(server)}: ${fix}`)
}
