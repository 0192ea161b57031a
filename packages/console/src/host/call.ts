import {
  type ApiRequest,
  proofHeader,
  type RouteAnswer,
  type RouteInput,
  type RouteName,
  requestOf,
  type WantedProof,
} from '@trunkline/host/page-api'
import { confirmed, type WantedPasskey } from './passkey.ts'
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

/** The host cannot be reached: it ended, or this machine is offline. */
export class HostAway extends Error {
  override readonly name = 'HostAway'

  constructor(cause: unknown) {
    super('The host does not answer, so this was not done. Start it: trunkline up', { cause })
  }
}

/** Asks the host. */
export async function callHost<Name extends RouteName>(
  name: Name,
  input?: RouteInput<Name>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<RouteAnswer<Name>> {
  const request = requestOf(name, input)
  const { response, value } = await send(request, signal)
  const wanted = wantedPasskey(value)
  const proof = wanted && (await confirmed(wanted))
  if (proof === undefined) return answered(response, value)
  const again = await send(request, signal, { [proofHeader]: proof })
  return answered(again.response, again.value)
}

type Headers = { readonly [name: string]: string }

async function send({ method, path, body }: ApiRequest, signal: AbortSignal | undefined, proof: Headers = {}) {
  try {
    const response = await fetch(path, {
      method,
      headers: { ...authorization(), ...proof, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      cache: 'no-store',
      credentials: 'omit',
    })
    return { response, value: await response.json() }
  } catch (error) {
    // browsers say no more of it than "Failed to fetch", each in its own words
    if (error instanceof TypeError) throw new HostAway(error)
    throw error
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a route answers is typed by the table of routes
function answered({ ok, status }: Response, value: any) {
  if (!ok) throw new HostRefusal(status, String(value.error))
  return value
}

/** Passkey signature that the host requires before a decision; undefined at another origin than that of the passkeys. */
function wantedPasskey({ proof }: { readonly proof?: WantedProof }): WantedPasskey | undefined {
  return proof?.kind === 'passkey' && proof.origin === location.origin ? proof : undefined
}

/** The header that says which page this is. */
export function authorization(): { readonly authorization?: string } {
  const secret = pageSecret()
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` }
}
