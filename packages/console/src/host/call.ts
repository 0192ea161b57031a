import { type RouteAnswer, type RouteInput, type RouteName, requestOf } from '@trunkline/host/page-api'
import { pageSecret } from './secret.ts'

/** The host answered that it will not; the message says what to do. */
export class HostRefusal extends Error {
  override readonly name = 'HostRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Asks the host. */
export async function callHost<Name extends RouteName>(
  name: Name,
  input?: RouteInput<Name>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<RouteAnswer<Name>> {
  const { method, path, body } = requestOf(name, input)
  const response = await fetch(path, {
    method,
    headers: { ...authorization(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
    credentials: 'omit',
  })
  const value = await response.json()
  if (!response.ok) throw new HostRefusal(response.status, String(value.error))
  return value
}

/** The header that says which page this is. */
export function authorization(): { readonly authorization?: string } {
  const secret = pageSecret()
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` }
}
