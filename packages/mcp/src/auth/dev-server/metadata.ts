/** The paths of the endpoints. */
export const paths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  keys: '/jwks',
} as const

/** The authorization server metadata. @see https://www.rfc-editor.org/rfc/rfc8414 */
export function serverMetadata(issuer: string, scopes: readonly string[] | undefined) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${paths.authorize}`,
    token_endpoint: `${issuer}${paths.token}`,
    registration_endpoint: `${issuer}${paths.register}`,
    jwks_uri: `${issuer}${paths.keys}`,
    ...(scopes && { scopes_supported: scopes }),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
