/** A JSON response. */
export function json(body: unknown, status = 200): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Response(JSON.stringify(body), { status, headers })
}

/** A plain text response. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } })
}

/** An OAuth error response. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly error: string

  constructor(error: string, message: string) {
    super(message)
    this.error = error
  }
}
