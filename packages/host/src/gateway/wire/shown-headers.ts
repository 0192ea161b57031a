import { masked, redact, redactText } from '@trunkline/base/redact'

/** Headers that hold no secret. All others are shown by their names. */
const harmless: ReadonlySet<string> = new Set([
  ...['accept', 'cache-control', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'host'],
  ...['keep-alive', 'last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'origin', 'retry-after'],
  ...['traceparent', 'transfer-encoding', 'user-agent', 'vary', 'www-authenticate', 'x-content-type-options'],
])

/** Headers with the values of those that hold no secret. */
export function shownHeaders(headers: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      harmless.has(name.toLowerCase()) ? redactText(String(value)) : masked,
    ]),
  )
}

/** An address without user and password, and with the secrets of its query masked. */
export function shownUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return redactText(text)
  const query = redact(Object.fromEntries(url.searchParams)) as { readonly [name: string]: string }
  const shown = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `${url.protocol}//${url.host}${url.pathname}${shown.length > 0 ? `?${shown.join('&')}` : ''}`
}
