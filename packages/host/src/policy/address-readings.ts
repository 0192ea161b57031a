/** One way to read an address. */
export interface AddressReading {
  /** Undefined where the address does not say it. */
  readonly scheme: string | undefined
  readonly host: string
  readonly port: string
  readonly path: string
  readonly query: string
}

/** The addresses that programs may take a text for; `scheme` is the one to read it with where it names none. */
export function readingsOf(text: string, scheme: string): readonly AddressReading[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: programs drop these
  const kept = text.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  const [, inner] = /^[a-z][a-z0-9+.-]*:([a-z][a-z0-9+.-]*:\/\/[\s\S]*)$/i.exec(kept) ?? []
  const [, named, rest = kept] = /^([a-z][a-z0-9+.-]*):((?!\d+(?:[/?#]|$))[\s\S]*)$/i.exec(kept) ?? []
  const own = named?.toLowerCase()
  return [
    ...byUrl(kept, own),
    // hosts of all schemes have the spellings that those of the web have
    ...byUrl(`http://${rest.replace(/^[\\/]+/, '')}`, own),
    ...byUrl(`${scheme}://${rest.replace(/^[\\/]+/, '')}`, own),
    ...bySyntax(rest, own),
    ...(inner === undefined ? [] : readingsOf(inner, scheme)),
  ]
}

function byUrl(text: string, scheme: string | undefined): readonly AddressReading[] {
  if (!URL.canParse(text)) return []
  const { hostname, port, pathname, search, protocol } = new URL(text)
  const usual = usualPorts[scheme ?? protocol.slice(0, -1)] ?? ''
  return [{ scheme, host: hostname, port: port === usual ? '' : port, path: pathname || '/', query: search.slice(1) }]
}

const usualPorts: { readonly [scheme: string]: string } = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }

/** By the syntax of RFC 3986, in which a backslash separates nothing, with all that stands before the last `@` a name. */
function bySyntax(rest: string, scheme: string | undefined): readonly AddressReading[] {
  const [, authority = '', path = '', query = ''] = /^[\\/]*([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(rest) ?? []
  const [, host = '', port = ''] = /^([\s\S]*?)(?::(\d*))?$/.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? []
  if (!URL.canParse(`http://${host}`)) return []
  const { hostname } = new URL(`http://${host}`)
  return [{ scheme, host: hostname, port: port === usualPorts[scheme ?? ''] ? '' : port, path: path || '/', query }]
}

/** The spellings of a host that name the same one: without final dots, and an IPv4 address that stands in an IPv6 one. */
export function hostSpellings(host: string): readonly string[] {
  const name = host.toLowerCase().replace(/\.+$/, '')
  const [, high, low] = /^\[::(?:ffff:(?:0:)?)?([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(name) ?? []
  const nat = /^\[64:ff9b::([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(name)
  const parts = high !== undefined && low !== undefined ? [high, low] : nat?.slice(1, 3)
  return parts === undefined ? [name] : [name, ipv4Of(parts)]
}

function ipv4Of([high = '0', low = '0']: readonly string[]): string {
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.')
}
