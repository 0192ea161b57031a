import { z } from 'zod'
import { hostEvent } from './event-schemas.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

/** The API in the form that other tools read, made from the table of its routes. */
export function openApiDocument(): object {
  const paths: { [path: string]: { [method: string]: object } } = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Trunkline', version: '1', description: 'The local API of the host, on loopback, with a token.' },
    security: [{ token: [] }],
    paths: { ...paths, '/api/events': { get: events }, '/api/openapi.json': { get: itself } },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

const failure = {
  description: 'A sentence that says what is wrong',
  content: json(z.object({ error: z.string() }), 'output'),
}

const events = {
  operationId: 'events',
  summary: 'What happens, as it happens, one JSON object per event; open questions come first',
  responses: {
    200: {
      description: 'Events: the data of each is one of these',
      content: { 'text/event-stream': { schema: schemaOf(hostEvent, 'output') } },
    },
    default: failure,
  },
}

const itself = {
  operationId: 'openapi',
  summary: 'This document',
  security: [],
  responses: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } } },
}

function operation(name: string, { says, path, query, body, answer }: Route): object {
  const inPath = [...path.matchAll(/\{(.+?)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId: name,
    summary: says,
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body && { requestBody: { required: true, content: json(body, 'input') } }),
    responses: {
      200: { description: says, content: json(answer, 'output') },
      default: failure,
    },
    ...(name === 'session' && { security: [] }),
  }
}

function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function json(schema: z.ZodType, io: 'input' | 'output'): object {
  return { 'application/json': { schema: schemaOf(schema, io) } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}
