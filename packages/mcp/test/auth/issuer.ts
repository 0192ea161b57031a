/** An authorization server that goes by the book except where a defect says otherwise; what it gives is marked. */
import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose'
import { secretFor } from '../fixtures/canary.ts'
import type { Defects } from './defects.ts'
import { json, type Seen } from './listening.ts'

/** The grant behind an access token. */
interface Given {
  readonly scope: string
  readonly audience: string | null
  /** Proof of the key that it is bound to, if it is. */
  readonly proof: string | undefined
}

interface Code {
  readonly challenge: string
  readonly redirectUri: string
  readonly scope: string
}

export class Issuer {
  origin = ''
  readonly #defects: Defects
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Given>()
  /** Each refresh token works once, with the scope it stands for. */
  readonly #refresh = new Map<string, string>()

  constructor(defects: Defects) {
    this.#defects = defects
  }

  /** The scopes that a token has, when it is one. */
  scopesOf(token: string | undefined): readonly string[] | undefined {
    return this.#access.get(token ?? '')?.scope.split(' ')
  }

  revokeAll(): void {
    this.#access.clear()
  }

  answer(seen: Seen, response: ServerResponse): void | Promise<void> {
    const { pathname } = seen.url
    if (pathname === '/.well-known/oauth-authorization-server') return this.#metadata(response)
    if (pathname === '/authorize') return this.#authorize(seen.url.searchParams, response)
    if (pathname === '/token') return this.#token(seen, response)
    if (pathname === '/register') return this.#register(JSON.parse(seen.body), response)
    if (pathname === '/introspect') return this.#introspect(new URLSearchParams(seen.body), response)
    json(response, 404, {})
  }

  #metadata(response: ServerResponse): void {
    const { isMute, metadataRedirect, metadataBytes = 0, clientSecret, ...defects } = this.#defects
    if (isMute) return
    if (metadataRedirect !== undefined) return redirect(response, metadataRedirect)
    json(response, 200, {
      issuer: defects.issuer ?? this.origin,
      authorization_endpoint: defects.authorizationEndpoint ?? `${this.origin}/authorize`,
      token_endpoint: defects.tokenEndpoint ?? `${this.origin}/token`,
      registration_endpoint: defects.registrationEndpoint ?? `${this.origin}/register`,
      introspection_endpoint: `${this.origin}/introspect`,
      code_challenge_methods_supported: defects.challengeMethods ?? ['S256'],
      token_endpoint_auth_methods_supported: clientSecret === undefined ? ['none'] : ['client_secret_basic'],
      authorization_response_iss_parameter_supported: defects.announcesIss ?? true,
      padding: 'x'.repeat(metadataBytes),
    })
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const { iss = this.origin, state = query.get('state'), denial } = this.#defects
    const code = secretFor(`code-${randomUUID()}`)
    const redirectUri = query.get('redirect_uri') ?? ''
    this.#codes.set(code, {
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      scope: query.get('scope') ?? '',
    })
    const url = new URL(redirectUri)
    const parameters = { ...(denial === undefined ? { code } : { error: denial }), state, iss }
    for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
    redirect(response, url.href)
  }

  #token({ body: text, headers }: Seen, response: ServerResponse): void {
    const body = new URLSearchParams(text)
    const proof = headers.dpop?.toString()
    const { tokenRedirect, tokenError, echoes } = this.#defects
    if (tokenRedirect !== undefined) return redirect(response, tokenRedirect, 307)
    if (tokenError !== undefined) {
      return json(response, 400, { error: tokenError, ...(echoes && { error_description: `${body}` }) })
    }
    if (body.has('subject_token')) return permit(response)
    const scope = this.#granted(body)
    if (scope === undefined) return json(response, 400, { error: 'invalid_grant' })
    const { accessToken = secretFor(`access-${randomUUID()}`), expiresIn = 3_600, isForgetful } = this.#defects
    const refreshToken = secretFor(`refresh-${randomUUID()}`)
    this.#access.set(accessToken, { scope, audience: body.get('resource'), proof })
    this.#refresh.set(refreshToken, scope)
    const tokens = { access_token: accessToken, token_type: proof ? 'DPoP' : 'Bearer', expires_in: expiresIn, scope }
    json(response, 200, { ...tokens, ...(!isForgetful && { refresh_token: refreshToken }) })
  }

  /** The scope that a grant stands for, which it does once. */
  #granted(body: URLSearchParams): string | undefined {
    if (body.has('assertion') || body.get('grant_type') === 'client_credentials') return body.get('scope') ?? ''
    if (body.get('grant_type') === 'refresh_token') return take(this.#refresh, body.get('refresh_token'))
    const code = take(this.#codes, body.get('code'))
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = code?.challenge === challenge && code.redirectUri === body.get('redirect_uri')
    return isRight ? code.scope : undefined
  }

  async #introspect(body: URLSearchParams, response: ServerResponse): Promise<void> {
    const given = this.#access.get(body.get('token') ?? '')
    if (!given) return json(response, 200, { active: false })
    const { scope, audience: aud, proof } = given
    const { jwk } = proof === undefined ? {} : decodeProtectedHeader(proof)
    const cnf = jwk && { cnf: { jkt: await calculateJwkThumbprint(jwk) } }
    json(response, 200, { active: true, sub: 'ann', client_id: 'client', aud, scope, ...cnf })
  }

  #register(document: { redirect_uris?: unknown }, response: ServerResponse): void {
    const { registrationRedirect, registrationError, clientSecret } = this.#defects
    if (registrationRedirect !== undefined) return redirect(response, registrationRedirect, 307)
    if (registrationError !== undefined) return json(response, 400, { error: registrationError })
    const secret = clientSecret !== undefined && { client_secret: clientSecret }
    const management = { registration_access_token: secretFor(`registration-${randomUUID()}`) }
    json(response, 201, { ...document, client_id: randomUUID(), ...secret, ...management })
  }
}

/** Permits what an enterprise permits, for any user. */
function permit(response: ServerResponse): void {
  const issued = { issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag', token_type: 'N_A' }
  json(response, 200, { access_token: secretFor(`permission-${randomUUID()}`), ...issued })
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end()
}

function take<Value>(map: Map<string, Value>, key: string | null): Value | undefined {
  const value = map.get(key ?? '')
  map.delete(key ?? '')
  return value
}
