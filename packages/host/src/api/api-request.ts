/** Requests for the routes of the local API, for the command and for pages; this loads no schema. */
import { addresses } from './addresses.ts'
import type { RouteInput, RouteName } from './routes.ts'

/** HTTP request for a route. */
export interface ApiRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: object | undefined
}

/** The request for a route: parameters of its path go there, the rest into the query or the body. */
export function requestOf<Name extends RouteName>(name: Name, input?: RouteInput<Name>): ApiRequest {
  const [method = 'GET', path = ''] = addresses[name].split(' ')
  const { address, rest } = filled(path, (input ?? {}) as Record<string, unknown>)
  if (method === 'GET') return { method, path: address + queryOf(rest), body: undefined }
  return { method, path: address, body: rest }
}

function filled(path: string, input: Record<string, unknown>): { address: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const address = path.replace(/\{(.+?)\}/g, (_, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { address, rest }
}

function queryOf(rest: Record<string, unknown>): string {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
