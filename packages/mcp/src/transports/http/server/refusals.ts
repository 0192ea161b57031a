import { headerNames } from '../../../dialects/http-status.ts'
import { InvalidRequest, RpcError } from '../../../wire/errors.ts'
import type { Headers } from '../headers.ts'

/** Refuses a request with an HTTP status. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly headers: Headers

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

export function methodNotAllowed(allow: string): HttpRefusal {
  return new HttpRefusal(405, 'Method not allowed', { allow })
}

/** The client must accept an event stream. */
export function eventStreamNotAccepted(): HttpRefusal {
  return new HttpRefusal(406, 'Not acceptable: accept text/event-stream')
}

export function notJsonContent(): HttpRefusal {
  return new HttpRefusal(415, 'Unsupported media type: send application/json in UTF-8')
}

export function unsupportedEncoding(encoding: string): HttpRefusal {
  return new HttpRefusal(415, `Unsupported content encoding: ${JSON.stringify(encoding)}`)
}

/** There is no session with that id, or it belongs to another caller. */
export function sessionNotFound(): HttpRefusal {
  return new HttpRefusal(404, 'Session not found')
}

export function shuttingDown(): HttpRefusal {
  return new HttpRefusal(503, 'Shutting down', { 'retry-after': '1' })
}

/** The store that sessions are in does not answer. */
export function storeAway(): HttpRefusal {
  return new HttpRefusal(503, 'The store of the sessions does not answer', { 'retry-after': '1' })
}

/** The version header of a request is not the revision of its session, or not served. */
export function notAgreed(version: string): HttpRefusal {
  return new HttpRefusal(
    400,
    `Bad request: header "${headerNames.version}" names ${JSON.stringify(version)}, which was not agreed on`,
  )
}

/** Only one revision has batches. */
export function noBatches(): RpcError {
  return new RpcError(InvalidRequest, 'Cannot read message: this revision has no batches')
}
