import { kindOfHost } from '../shared/address-ranges.ts'
import type { Clients, DevClient } from './clients.ts'
import { json, OAuthError } from './responses.ts'

/** The supported client metadata; everything else is ignored. */
interface Registration {
  readonly redirect_uris?: unknown
  readonly client_name?: unknown
  readonly token_endpoint_auth_method?: unknown
}

const methods = ['none', 'client_secret_basic', 'client_secret_post']
const maxRedirectUris = 20

/** Serves dynamic client registration. @see https://www.rfc-editor.org/rfc/rfc7591 */
export async function register(request: Request, clients: Clients): Promise<Response> {
  try {
    const said = await readRegistration(request)
    const client = newClient(said)
    clients.register(client)
    return json(described(client, said), 201)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return json({ error: error.error, error_description: error.message }, 400)
  }
}

async function readRegistration(request: Request): Promise<Registration> {
  const said: unknown = await request.json().catch(() => undefined)
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) return said
  throw new OAuthError('invalid_client_metadata', 'A registration is a JSON object')
}

function newClient({ redirect_uris: uris, token_endpoint_auth_method: method = 'client_secret_basic' }: Registration) {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris || !uris.every(isRedirectUri)) {
    const fix = `give 1 to ${maxRedirectUris} addresses of https, of this machine, or of an app`
    throw new OAuthError('invalid_redirect_uri', `"redirect_uris" cannot be used: ${fix}`)
  }
  if (!methods.includes(String(method))) {
    throw new OAuthError('invalid_client_metadata', `"token_endpoint_auth_method" must be one of ${methods.join(', ')}`)
  }
  const clientId = crypto.randomUUID()
  return { clientId, redirectUris: uris as string[], ...(method !== 'none' && { clientSecret: crypto.randomUUID() }) }
}

/** Codes are sent only to https, to a loopback address or to a private scheme of an app. */
function isRedirectUri(uri: unknown): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  const { protocol, hostname, hash } = new URL(uri)
  if (hash !== '' || ['javascript:', 'data:', 'file:', 'blob:'].includes(protocol)) return false
  return protocol !== 'http:' || hostname === 'localhost' || kindOfHost(hostname) === 'loopback'
}

function described({ clientId, clientSecret, redirectUris }: DevClient, said: Registration) {
  return {
    ...said,
    client_id: clientId,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: clientSecret === undefined ? 'none' : (said.token_endpoint_auth_method ?? methods[1]),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
