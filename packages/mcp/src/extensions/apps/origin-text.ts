const schemes = ['https://', 'wss://', 'http://', 'ws://']
const host = /^(?:\*\.)?[a-z0-9]+(?:[.-][a-z0-9]+)*$/
const port = /^[0-9]{1,5}$/

/**
 * True if a text is an origin and nothing more, as in `https://api.example.com`, `https://*.example.com` or `http://localhost:8080`:
 * nothing that would be a word of a policy, or end one.
 */
export function isOrigin(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 300) return false
  const scheme = schemes.find((one) => text.startsWith(one))
  if (scheme === undefined) return false
  const [name = '', number, ...rest] = text.slice(scheme.length).toLowerCase().split(':')
  return rest.length === 0 && host.test(name) && (number === undefined || port.test(number))
}
