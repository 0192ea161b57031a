/** Faults of a protected server or of an authorization server: one switch each. */
export interface Defects {
  /** The challenge says that the metadata is here. */
  metadataAt?: string
  /** The metadata of the server is that of another resource. */
  resource?: string
  /** The metadata of the server names these issuers. */
  issuers?: readonly string[]
  /** The server refuses everything, whatever it is shown. */
  refuses?: 401 | 403
  /** The server wants these scopes, and says so. */
  scope?: string
  /** The metadata of the issuer names another issuer. */
  issuer?: string
  /** The issuer offers these ways to bind a code to who asked for it. */
  challengeMethods?: readonly string[]
  authorizationEndpoint?: string
  tokenEndpoint?: string
  registrationEndpoint?: string
  /** The metadata of the issuer is said to be there. */
  metadataRedirect?: string
  /** The metadata of the issuer has so many bytes. */
  metadataBytes?: number
  /** The issuer never answers when it is asked for its metadata. */
  isMute?: boolean
  announcesIss?: boolean
  /** Parameters that the browser is sent back with; null leaves one out. */
  iss?: string | null
  state?: string | null
  /** The user says no, or the issuer does. */
  denial?: string
  /** The issuer redirects requests for tokens, or for registration. */
  tokenRedirect?: string
  registrationRedirect?: string
  registrationError?: string
  /** The issuer gives clients this secret. */
  clientSecret?: string
  /** The issuer refuses to give tokens, with this code. */
  tokenError?: string
  /** The issuer repeats all it is sent when it refuses. */
  echoes?: boolean
  accessToken?: string
  expiresIn?: number
  /** The issuer gives no refresh token. */
  isForgetful?: boolean
}
