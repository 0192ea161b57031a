import { headerNames } from '../../../dialects/http-status.ts'
import { InvalidRequest, RpcError } from '../../../wire/errors.ts'
import type { Headers } from '../headers.ts'

/** Refuses a request by its HTTP status, before what it says is looked at. */
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

/** The client has to take a stream of events as the answer. */
export function eventStreamNotAccepted(): HttpRefusal {
  return new HttpRefusal(406, 'Not acceptable: accept text/event-stream')
}

export function notJsonContent(): HttpRefusal {
  return new HttpRefusal(415, 'Unsupported media type: send application/json in UTF-8')
}

export function unsupportedEncoding(encoding: string): HttpRefusal {
  return new HttpRefusal(415, `Unsupported content encoding: ${JSON.stringify(encoding)}`)
}

/** There is no session of that id, or it is another caller's. */
export function sessionNotFound(): HttpRefusal {
  return new HttpRefusal(404, 'Session not found')
}

export function shuttingDown(): HttpRefusal {
  return new HttpRefusal(503, 'Shutting down', { 'retry-after': '1' })
}

/** The revision of a request is not that of its session, or none that is served. */
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
