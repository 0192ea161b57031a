import type { Attributes, Link } from '@opentelemetry/api'
import type { ServerHandler, ServerRequest } from '../../dialects/dialect.ts'
import type { Interceptor } from '../../rpc/interceptor.ts'
import { describe, short } from './attributes.ts'
import { loadApi } from './opentelemetry-api.ts'
import { Recorder } from './recorder.ts'
import { cancelled, outcomeOfResult } from './request-outcome.ts'
import { extract } from './trace-context.ts'
import { TracedInput } from './traced-input.ts'

/**
 * Records a span and the duration of every request to a feature, in the trace of its client. Does nothing where
 * `@opentelemetry/api` is not installed.
 */
export function telemetry(): Interceptor<ServerHandler> {
  let recorder: Recorder | undefined | Promise<Recorder | undefined> = loadApi().then((api) => {
    recorder = api && new Recorder(api, 'server')
    return recorder
  })
  return (next) => (request) => {
    const serve = (found: Recorder | undefined) => (found ? traced(found, request, next) : next(request))
    return recorder instanceof Promise ? recorder.then(serve) : serve(recorder)
  }
}

function traced(recorder: Recorder, request: ServerRequest, next: ServerHandler): ReturnType<ServerHandler> {
  const { api } = recorder
  const { method, params, incoming, input } = request
  const ambient = api.context.active()
  const parent = extract(api, params, ambient)
  const { name, attributes } = describe(method, params)
  const operation = {
    name,
    attributes: { ...attributes, ...attributesOf(request) },
    parent,
    links: linksTo(api.trace.getSpanContext(ambient), api.trace.getSpanContext(parent)),
    ending: (result: object) => (incoming.ended ? cancelled : outcomeOfResult(result)),
  }
  return recorder.record(operation, () => next({ ...request, input: new TracedInput(input, api) }))
}

function attributesOf({ caller, incoming: { id, sender: origin } }: ServerRequest): Attributes {
  const session = origin?.headers?.get('mcp-session-id')
  return {
    'mcp.protocol.version': caller.revision,
    'jsonrpc.request.id': short(String(id)),
    ...(session && { 'mcp.session.id': short(session) }),
    ...(origin?.headers && { 'network.transport': 'tcp', 'network.protocol.name': 'http' }),
  }
}

type SpanContext = Link['context']

/** A link to the ambient span, for example that of the HTTP request. */
function linksTo(ambient: SpanContext | undefined, parent: SpanContext | undefined): Link[] {
  return ambient && ambient.spanId !== parent?.spanId ? [{ context: ambient }] : []
}
