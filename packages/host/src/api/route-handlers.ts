import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { SavedRequestTable } from '../store/tables/saved-request-table.ts'
import { AcceptCodes } from './accept-codes.ts'
import { ApiError } from './api-error.ts'
import { AppCalls } from './app-calls.ts'
import { FollowedTasks } from './followed-tasks.ts'
import { openApiDocument } from './openapi.ts'
import { readBody } from './read-body.ts'
import { ResourceWatches } from './resource-watches.ts'
import type { Route, RouteContext, RouteNeeds } from './route.ts'
import { type RouteName, routes } from './routes.ts'
import type { ApiServices, RouteServices } from './services.ts'

/** A route that a request asks for, with the parameters in its path. */
export interface FoundRoute {
  readonly name: RouteName
  readonly needs: RouteNeeds
  readonly says: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Dispatcher of the API: finds the route, checks the input and calls the handler. */
export class RouteHandlers {
  readonly openApiDocument = openApiDocument
  readonly #services: RouteServices

  constructor(services: ApiServices, { pages, tell }: Pick<RouteServices, 'pages' | 'tell'>) {
    const { host } = services
    this.#services = {
      ...services,
      startedAt: Date.now(),
      pages,
      tell,
      codes: new AcceptCodes(),
      appCalls: new AppCalls(host.inbox),
      watches: new ResourceWatches({
        clientOf: (server) => host.clientOf(server, 'console'),
        onChange: (server, uri) => tell({ event: 'resource', server, uri }),
      }),
      tasks: new FollowedTasks(tell),
      savedRequests: new SavedRequestTable(host.store),
    }
  }

  find(method: string, path: string): FoundRoute | undefined {
    for (const [name, route] of Object.entries(routes)) {
      const parameters = route.method === method ? match(route.path, path) : undefined
      if (parameters) return { name: name as RouteName, needs: route.needs, says: route.says, parameters }
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

  handle({ name }: FoundRoute, input: object, context: RouteContext): unknown {
    const { handle } = routes[name] as {
      handle(input: object, services: RouteServices, context: RouteContext): unknown
    }
    return handle(input, this.#services, context)
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
