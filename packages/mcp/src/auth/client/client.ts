import type { AuthorizationServer } from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import type { Need } from './grant.ts'
import { processRegistration, type RegisteredClient, registrationRequest } from './registration.ts'

/** How a program that signs users in may be known to authorization servers. */
export interface ClientChoice {
  /** A client that was registered beforehand. */
  readonly client?: Pick<RegisteredClient, 'clientId' | 'clientSecret'>
  /** The `https:` URL of a document that says what the program is, for servers that go by such documents. */
  readonly clientIdUrl?: string
  /** What users are told the program is called. @default 'Trunkline' */
  readonly clientName?: string
}

/** The client that an authorization server knows, or will take without being told about it first. */
export async function knownClient(choice: ClientChoice, need: Need): Promise<RegisteredClient | undefined> {
  const { authorizationServer: server, records } = need
  if (choice.client) return choice.client
  if (choice.clientIdUrl !== undefined && server.client_id_metadata_document_supported === true) {
    return { clientId: choice.clientIdUrl }
  }
  const kept = await records.client(server.issuer)
  const isOver = kept?.expiresAt !== undefined && kept.expiresAt <= need.now()
  return isOver ? undefined : kept
}

/** Registers with an authorization server and remembers that. */
export async function registeredClient(
  choice: ClientChoice,
  redirectUri: string,
  need: Need,
): Promise<RegisteredClient> {
  const { authorizationServer: server, records, network, signal } = need
  if (server.registration_endpoint === undefined) throw noWay(server)
  const description = { name: choice.clientName ?? 'Trunkline', redirectUri, bindsTokens: need.proof !== undefined }
  const response = await registrationRequest(server, description, { network, signal })
  const client = await processRegistration(response, redirectUri)
  await records.keepClient(server.issuer, client)
  return client
}

/** Checks what can be checked before there is a server. */
export function checkClientChoice({ clientIdUrl }: ClientChoice): void {
  if (clientIdUrl === undefined) return
  const url = URL.canParse(clientIdUrl) ? new URL(clientIdUrl) : undefined
  if (url?.protocol === 'https:' && url.pathname !== '/' && url.hash === '') return
  throw new AuthError('registration', `Cannot be known as "${clientIdUrl}": it must be an https: URL with a path`)
}

function noWay({ issuer }: AuthorizationServer): AuthError {
  const fix = 'register the program by hand and give it as "client"'
  return new AuthError('registration', `Cannot sign in: "${issuer}" does not know this program; ${fix}`)
}
