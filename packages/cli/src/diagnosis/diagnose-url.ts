import type { NetworkOptions } from '@trunkline/mcp'
import type { Tool } from '@trunkline/mcp/client'
import { type Finding, type Patient, shellWord } from './finding.ts'
import type { ProbeOptions } from './program-evidence.ts'
import { badSchema } from './schema-problems.ts'

export interface UrlTarget {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The proxy and the certificates to trust. @default those of the environment */
  readonly network?: NetworkOptions
}

/** Finds out why a server at an address does not work; undefined when it does. */
export async function diagnoseUrl(
  patient: Patient,
  { url, headers = {}, network }: UrlTarget,
  { timeoutMs, signal }: ProbeOptions,
): Promise<Finding | undefined> {
  const { open, dialUrl } = await import('@trunkline/mcp/client')
  const warnings: string[] = []
  let tools: readonly Tool[] = []
  try {
    const onWarning = (message: string) => void warnings.push(message)
    const dial = await dialUrl(url, { headers, ...(network && { network }) })
    await using client = await open(dial, { timeoutMs, maxTotalMs: timeoutMs, signal, onWarning })
    tools = client.capabilities.tools ? await client.tools.list({ signal }).all() : []
  } catch (error) {
    signal.throwIfAborted()
    return failed(patient, new URL(url), { error, timeoutMs, hasToken: hasToken(headers) })
  }
  const bad = badSchema(tools, warnings)
  if (!bad) return undefined
  const tool = bad.tool === undefined ? '' : ` ${shellWord(bad.tool)}`
  return { cause: 'bad schema', line: bad.why, command: `trunkline tools --json ${patient.words}${tool}` }
}

interface Failed {
  readonly error: unknown
  readonly timeoutMs: number
  readonly hasToken: boolean
}

function failed(patient: Patient, url: URL, { error, timeoutMs, hasToken: sent }: Failed): Finding {
  const { codes, status, message } = chainOf(error)
  const has = (pattern: RegExp): string | undefined => codes.find((code) => pattern.test(code))
  if (has(/^ERR_PROXY$/)) {
    const line = `${message.slice(message.indexOf('the proxy')).replace(/^t/, 'T')}`
    return { cause: 'proxy', line, command: 'trunkline config explain network; env | grep -i _proxy' }
  }
  if (has(/^(?:ENOTFOUND|EAI_)/)) {
    const line = `There is no host "${url.hostname}": its name cannot be looked up`
    return { cause: 'DNS', line, command: `nslookup ${shellWord(url.hostname)}` }
  }
  if (has(/^ECONNREFUSED$/)) {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    const line = `Nobody listens on port ${port} of ${url.hostname}: the server does not run, or on another port`
    return { cause: 'port', line, command: `lsof -nP -iTCP -sTCP:LISTEN` }
  }
  const certificate = has(/^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/)
  if (certificate !== undefined) return tls(url, certificate, message)
  if (/a web page stands there/.test(message)) {
    const line = `${url.href} is a web page, not an MCP server; look up the address of the server, which often ends in "/mcp"`
    const command = /^https?:/.test(patient.words)
      ? `trunkline doctor ${shellWord(new URL('/mcp', url).href)}`
      : `trunkline config explain mcpServers.${patient.words}`
    return { cause: 'web page', line, command }
  }
  if (status === 401 || codes.includes('Unauthorized')) return unauthorized(patient, sent)
  if (codes.includes('Timeout') || has(/TIMEOUT|ETIMEDOUT/)) {
    const line = `${url.host} takes the connection and does not answer within ${timeoutMs / 1000} s`
    return { cause: 'hang', line, command: `trunkline trace tools --timeout 60 ${patient.words}` }
  }
  return { cause: 'other', line: message, command: `trunkline trace tools ${patient.words}` }
}

function unauthorized({ words }: Patient, sent: boolean): Finding {
  const isUrl = /^https?:/.test(words)
  const why = sent ? 'it does not accept the token that is configured' : 'nobody has signed in'
  const command = isUrl
    ? `trunkline tools ${words}`
    : sent
      ? `trunkline config explain mcpServers.${words}`
      : `trunkline login ${words}`
  return { cause: '401', line: `It wants to know who calls, and ${why} (401)`, command }
}

function tls(url: URL, code: string, message: string): Finding {
  if (code === 'EPROTO' || /wrong version number/.test(message)) {
    const plain = url.href.replace(/^https:/, 'http:')
    const line = `${url.host} does not speak TLS; its address may begin with http:`
    return { cause: 'TLS', line, command: `trunkline tools ${shellWord(plain)}` }
  }
  const port = url.port || '443'
  return {
    cause: 'TLS',
    line: `The certificate of ${url.host} is not trusted here (${code})`,
    command: `openssl s_client -connect ${url.hostname}:${port} -servername ${url.hostname} -showcerts </dev/null`,
  }
}

function chainOf(error: unknown): { codes: readonly string[]; status: number | undefined; message: string } {
  const codes: string[] = []
  let status: number | undefined
  const messages: string[] = []
  for (let one = error as { code?: unknown; status?: number; message?: string; cause?: unknown } | undefined; one; ) {
    if (one.code !== undefined) codes.push(String(one.code))
    status ??= one.status
    messages.push(one.message ?? '')
    one = one.cause as typeof one
  }
  return { codes, status, message: messages.join(': ') }
}

function hasToken(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
