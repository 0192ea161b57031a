import type { ClientHandler, ClientRequest } from '../../client/client-request.ts'
import type { Interceptor } from '../../rpc/interceptor.ts'
import type { Fields } from '../../wire/messages.ts'
import { describe } from './attributes.ts'
import { loadApi } from './opentelemetry-api.ts'
import { Recorder } from './recorder.ts'
import { outcomeOfResult } from './request-outcome.ts'
import { inject } from './trace-context.ts'

/**
 * Records a span and the duration of every request to a server, and sends the trace context. Does nothing where
 * `@opentelemetry/api` is not installed.
 */
export function clientTelemetry(): Interceptor<ClientHandler> {
  const loading = loadApi().then((api) => api && new Recorder(api, 'client'))
  return (next) => async (request) => {
    const recorder = await loading
    return recorder ? traced(recorder, request, next) : next(request)
  }
}

async function traced(recorder: Recorder, request: ClientRequest, next: ClientHandler): Promise<Fields> {
  const { api } = recorder
  const { method, params, options } = request
  const operation = { ...describe(method, params), parent: api.context.active(), ending: outcomeOfResult }
  return recorder.record(operation, (inside, span) =>
    next({
      method,
      params: inject(api, params, inside),
      options: {
        ...options,
        onSent(id) {
          span.setAttribute('jsonrpc.request.id', String(id))
          options.onSent?.(id)
        },
      },
    }),
  )
}
