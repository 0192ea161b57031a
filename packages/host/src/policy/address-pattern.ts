import { domainToASCII } from 'node:url'
import { matchesGlob } from '@trunkline/base/glob'
import { type AddressReading, hostSpellings, readingsOf } from './address-readings.ts'
import { decodingsOf } from './paths.ts'

/** A pattern of addresses, read part by part, so that a wildcard never leaves the part it stands in. */
export interface AddressPattern {
  readonly kind: 'address'
  readonly text: string
  readonly scheme: string
  /** Labels with slashes between them, where `*` stays within a label. */
  readonly host: string
  /** Empty for the usual port of the scheme, `*` for any. */
  readonly port: string
  readonly path: string
  readonly query: string | undefined
}

const form = /^([a-z*][a-z0-9+.*-]*):(?:\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i

/** True if a text is an address of this kind; `file:` addresses are paths, and text such as `mailto:` has no host. */
export function isAddress(text: string): boolean {
  return /^(?:https?|wss?|ftp):|^[a-z*][a-z0-9+.*-]*:\/\//i.test(text) && !/^file:/i.test(text)
}

export function addressPattern(text: string): AddressPattern {
  const [, scheme = '', authority = '', path = '', query] = form.exec(text) ?? []
  const [, host = '', port = ''] = /^(?:[^@]*@)?([\s\S]*?)(?::(\d+|\*))?$/.exec(authority) ?? []
  const whole = path === '' && authority.endsWith('**') ? '/**' : path
  return {
    kind: 'address',
    text,
    scheme: scheme.toLowerCase(),
    host: hostPattern(host, isSpecial(scheme)),
    port: port === '*' ? port : usualPort(scheme, port),
    path: new URL(`http://host${whole || '/'}`).pathname,
    query,
  }
}

/** True if an address has one reading, and is at an origin and path as the pattern says. */
export function surelyAt(pattern: AddressPattern, value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !isWrittenPlainly(url, value)) return false
  const { hostname, port, pathname, search, hash } = url
  const path = pathname || '/'
  if (pattern.path !== '/**' && isUnclearPath(path)) return false
  return (
    matchesGlob(pattern.scheme, url.protocol.slice(0, -1)) &&
    matchesGlob(pattern.host, labelsOf(hostname)) &&
    (pattern.port === '*' || pattern.port === port) &&
    matchesGlob(pattern.path, path) &&
    fitsQuery(pattern, search + hash)
  )
}

/** True if an address could be at an origin and path as the pattern says, under any reading of it. */
export function mayBeAt(pattern: AddressPattern, value: string): boolean {
  return decodingsOf(value).some(
    (text) =>
      matchesGlob(pattern.text.toLowerCase(), text.toLowerCase()) ||
      readingsOf(text, pattern.scheme.includes('*') ? 'https' : pattern.scheme).some((one) => mayFit(pattern, one)),
  )
}

/** True if the address is as `URL` would write it, without a name or password, and with a host as hosts are. */
function isWrittenPlainly({ href, username, password, hostname, pathname, search, hash }: URL, value: string): boolean {
  const isBare = pathname === '/' && search === '' && hash === '' && href === `${value}/`
  if ((href !== value && !isBare) || username !== '' || password !== '') return false
  return /^[a-z][a-z0-9+.-]*:\/\//.test(value) && /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])?$/i.test(hostname)
}

/** True if a program that decodes or strips parts of a path may take it for another one. */
function isUnclearPath(path: string): boolean {
  return /%(?:2e|2f|5c|25|[01][0-9a-f]|7f)|\\|\/\/|\/\.{1,2};/i.test(path)
}

function fitsQuery({ path, query }: AddressPattern, found: string): boolean {
  if (query !== undefined) return matchesGlob(query, found.replace(/^\?/, ''))
  return found === '' || path.endsWith('**')
}

function mayFit({ scheme, host, port, path, query }: AddressPattern, found: AddressReading): boolean {
  return (
    (found.scheme === undefined || matchesGlob(scheme, found.scheme)) &&
    hostSpellings(found.host).some((one) => matchesGlob(host.toLowerCase(), labelsOf(one))) &&
    (port === '' || port === '*' || port === found.port) &&
    pathSpellings(found.path).some((one) => fitsFolded(path, one)) &&
    (query === undefined || decodingsOf(found.query).some((one) => fitsFolded(query, one)))
  )
}

function pathSpellings(path: string): readonly string[] {
  return decodingsOf(path).flatMap((text) => {
    const slashed = text.replaceAll('\\', '/').replace(/;[^/]*/g, '')
    const shortened = new URL(`http://host/${slashed.replace(/^\/+/, '')}`).pathname
    return [text, slashed, shortened, shortened.replace(/\/{2,}/g, '/')]
  })
}

// a pattern of a folder's content covers the folder itself
function fitsFolded(glob: string, text: string): boolean {
  const pattern = glob.toLowerCase()
  return [text, `${text}/`].some((one) => matchesGlob(pattern, one.toLowerCase()))
}

/** A star that begins a host stands for one label or more; any other stays within its label, and two cross them. */
function hostPattern(host: string, isCommon: boolean): string {
  const canonical =
    host.includes('*') || !isCommon || !URL.canParse(`http://${host}`) ? host : new URL(`http://${host}`).hostname
  const labels = labelsOf(canonical).split('/')
  return labels
    .map((label, at) => {
      if (label === '*' && at === 0) return '**'
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is looked for
      if (/[^\u0000-\u007f]/.test(label) && !label.includes('*')) return domainToASCII(label)
      return isCommon ? label.toLowerCase() : label
    })
    .join('/')
}

function labelsOf(host: string): string {
  return host.startsWith('[') ? host : host.replaceAll('.', '/')
}

function isSpecial(scheme: string): boolean {
  return scheme.includes('*') || /^(?:https?|wss?|ftp)$/i.test(scheme)
}

function usualPort(scheme: string, port: string): string {
  return scheme.includes('*') || !URL.canParse(`${scheme}://host:${port}`)
    ? port
    : new URL(`${scheme}://host:${port}`).port
}
