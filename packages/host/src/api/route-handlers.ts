import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { activityHandlers } from './activity-handlers.ts'
import { addHandlers } from './add-handlers.ts'
import { ApiError } from './api-error.ts'
import { chatHandlers } from './chat-handlers.ts'
import { connectHandlers } from './connect-handlers.ts'
import type { HostEvent } from './events.ts'
import type { DecidingContext, Handlers } from './handlers.ts'
import { hostHandlers } from './host-handlers.ts'
import { importHandlers } from './import-handlers.ts'
import { inboxHandlers } from './inbox-handlers.ts'
import { ledgerHandlers } from './ledger-handlers.ts'
import { lockHandlers } from './lock-handlers.ts'
import { openApiDocument } from './openapi.ts'
import type { PageLogins } from './page-logins.ts'
import type { ApiParts } from './parts.ts'
import { policyChangeHandlers } from './policy-change-handlers.ts'
import { policyFileHandlers } from './policy-file-handlers.ts'
import { policyHandlers } from './policy-handlers.ts'
import { proofHandlers } from './proof-handlers.ts'
import { readBody } from './read-body.ts'
import type { Route, RouteNeeds } from './route.ts'
import { type RouteName, routes } from './routes.ts'
import { runHandlers } from './run-handlers.ts'
import { savedRequestHandlers } from './saved-request-handlers.ts'
import { serverHandlers } from './server-handlers.ts'
import { signInHandlers } from './sign-in-handlers.ts'
import { taintHandlers } from './taint-handlers.ts'
import { taskHandlers } from './task-handlers.ts'

/** Dependencies of the routes besides the parts of the host. */
export interface RouteHandlersOptions {
  readonly pages: PageLogins
  tell(event: HostEvent): void
}

/** A route that a request asks for, with the parameters in its path. */
export interface FoundRoute {
  readonly name: RouteName
  readonly needs: RouteNeeds
  readonly parameters: Readonly<Record<string, string>>
}

/** Dispatcher of the API: finds the route, checks the input and calls the handler. */
export class RouteHandlers {
  readonly openApiDocument = openApiDocument
  readonly #handlers: Handlers

  constructor(parts: ApiParts, { pages, tell }: RouteHandlersOptions) {
    this.#handlers = {
      ...hostHandlers(parts, pages),
      ...serverHandlers(parts),
      ...signInHandlers(parts),
      ...addHandlers(parts),
      ...importHandlers(parts),
      ...connectHandlers(parts),
      ...inboxHandlers(parts),
      ...activityHandlers(parts),
      ...ledgerHandlers(parts),
      ...savedRequestHandlers(parts),
      ...lockHandlers(parts),
      ...policyHandlers(parts),
      ...taintHandlers(parts),
      ...policyChangeHandlers(parts),
      ...policyFileHandlers(parts),
      ...proofHandlers(parts),
      ...runHandlers(parts, tell),
      ...taskHandlers(parts, tell),
      ...chatHandlers(parts),
    }
  }

  find(method: string, path: string): FoundRoute | undefined {
    for (const [name, route] of Object.entries(routes)) {
      const parameters = route.method === method ? match(route.path, path) : undefined
      if (parameters) return { name: name as RouteName, needs: route.needs, parameters }
    }
    return undefined
  }

  /** Checks the input of a route. */
  async inputOf({ name, parameters }: FoundRoute, url: URL, request: IncomingMessage): Promise<object> {
    const { query, body }: Route = routes[name]
    return {
      ...parameters,
      ...(query && checked(query, Object.fromEntries(url.searchParams), 'query')),
      ...(body && checked(body, await readBody(request, name === 'session' ? maxSessionBytes : undefined), 'body')),
    }
  }

  handle({ name }: FoundRoute, input: object, context: DecidingContext): unknown {
    const handle = this.#handlers[name] as (given: unknown, context: DecidingContext) => unknown
    return handle(input, context)
  }
}

/** Bytes of the body with a code of a page, which has no token yet. */
const maxSessionBytes = 1_024

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{(.+)\}$/.exec(part) ?? []
    const value = given[index] ?? ''
    if (name === undefined && part !== value) return undefined
    if (name !== undefined) parameters[name] = decoded(value)
  }
  return parameters
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, `"${text}" is not encoded as addresses are`)
  }
}

function checked(schema: z.ZodType, value: unknown, part: string): object {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw new ApiError(400, `The ${part} is not as expected: ${z.prettifyError(error)}`)
  return data as object
}
