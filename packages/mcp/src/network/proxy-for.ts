import { BlockList, isIP } from 'node:net'
import { McpError } from '../wire/errors.ts'
import type { NetworkOptions } from './network-options.ts'

/** The proxy for an address; undefined where none is to be used. */
export type ProxyFor = (url: URL) => URL | undefined

type Environment = { readonly [name: string]: string | undefined }

/** Reads the settings of proxies; undefined where there is none at all, so that nothing has to be looked at later. */
export function proxyFor(options: NetworkOptions = {}, env: Environment = process.env): ProxyFor | undefined {
  const proxies = {
    'http:': proxyUrl(options.proxy ?? env.http_proxy ?? fromCaller(env)),
    'https:': proxyUrl(options.proxy ?? env.https_proxy ?? env.HTTPS_PROXY),
  }
  if (!proxies['http:'] && !proxies['https:']) return undefined
  const isExcepted = exceptions(options.noProxy ?? env.no_proxy ?? env.NO_PROXY ?? '')
  return (url) => {
    const proxy = proxies[url.protocol as keyof typeof proxies]
    return proxy && !isThisMachine(hostOf(url)) && !isExcepted(url) ? proxy : undefined
  }
}

/** The variable `HTTP_PROXY`, except under CGI, where it is a header that the caller sets. */
function fromCaller(env: Environment): string | undefined {
  return env.REQUEST_METHOD === undefined ? env.HTTP_PROXY : undefined
}

function proxyUrl(text: string | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined
  const written = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(written) ? new URL(written) : undefined
  // the text may hold a password
  if (url === undefined)
    throw new McpError(
      'Misuse',
      'Cannot use the proxy: its address is not a URL such as "http://proxy.example.com:8080"',
    )
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw new McpError(
    'Misuse',
    `Cannot use the proxy ${url.protocol}//${url.host}: it must be one of http: or https:, not ${url.protocol}`,
  )
}

/** The proxy without the password, for messages. */
export function shownProxy({ protocol, host }: URL): string {
  return `${protocol}//${host}`
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase()
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isIn(loopback, host)
}

function isIn(list: BlockList, host: string): boolean {
  const family = isIP(host)
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** The hosts that a list of exceptions names; what it cannot name it does not except. */
function exceptions(list: string): (url: URL) => boolean {
  const rules = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .map(ruleOf)
  return (url) => {
    const host = hostOf(url)
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return rules.some((rule) => rule(host, port))
  }
}

type Rule = (host: string, port: string) => boolean

function ruleOf(text: string): Rule {
  if (text === '*') return () => true
  const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  if (family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)) {
    const range = new BlockList()
    range.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
    return (host) => isIn(range, host)
  }
  const [, name = '', wanted] = (isIP(text) ? undefined : /^(.*?)(?::(\d+))?$/.exec(text)) ?? ['', text]
  const suffix = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
  return (host, port) => (host === suffix || host.endsWith(`.${suffix}`)) && (wanted === undefined || wanted === port)
}
