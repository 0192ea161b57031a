import type { ServerEntry } from '../../config/schema/server-entry.ts'

/** A server that was wrapped in a program, as the address that it is, and options that mean nothing here. */
export interface Unwrapped {
  readonly entry: ServerEntry
  readonly left: readonly string[]
}

/** Turns `npx mcp-remote URL` into the address; undefined for any other entry. */
export function unwrapRemote(entry: ServerEntry): Unwrapped | undefined {
  const words = [entry.command ?? '', ...(entry.args ?? [])]
  const at = words.findIndex((word) => /^(?:.*[\\/])?mcp-remote(?:@[\w.^~-]+)?$/.test(word))
  if (at < 0 || !words.slice(0, at).every(isRunner)) return undefined
  const [url, ...options] = words.slice(at + 1)
  if (url === undefined || !/^(?:https?:\/\/|\$+\{)/.test(url)) return undefined
  const { command: _command, args: _args, env = {}, cwd: _cwd, envFile: _envFile, ...rest } = entry
  const read = readOptions(options)
  // the program replaced these itself, from its own environment
  const fill = (text: string) =>
    text.replaceAll(/\$?\$\{(\w+)\}/g, (_, name) => (Object.hasOwn(env, name) ? (env[name] ?? '') : `\${${name}}`))
  const headers = Object.fromEntries(read.headers.map(([name, value]) => [name, fill(value)]))
  return {
    entry: {
      ...rest,
      url: fill(url),
      ...(read.sse && { type: 'sse' as const }),
      ...(read.headers.length > 0 && { headers }),
      ...(Object.keys(read.oauth).length > 0 && { oauth: read.oauth }),
      ...(read.except.length > 0 && {
        tools: { ...rest.tools, except: [...(rest.tools?.except ?? []), ...read.except] },
      }),
    },
    left: read.left,
  }
}

/** True for a word that may stand in front of the name of a package that is run. */
function isRunner(word: string): boolean {
  return /^(?:(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|bun|cmd|npm)(?:\.cmd|\.exe)?|-y|--yes|-q|--quiet|dlx|x|exec|--|\/c|-p)$/i.test(
    word,
  )
}

interface Options {
  readonly headers: (readonly [name: string, value: string])[]
  readonly except: string[]
  readonly left: string[]
  readonly oauth: { -readonly [K in keyof NonNullable<ServerEntry['oauth']>]: NonNullable<ServerEntry['oauth']>[K] }
  sse: boolean
}

function readOptions(words: readonly string[]): Options {
  const options: Options = { headers: [], except: [], left: [], oauth: {}, sse: false }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^\d+$/.test(word)) options.oauth.callbackPort = Number(word)
    else if (harmless.has(word)) continue
    else if (Object.hasOwn(withValue, word)) withValue[word]?.(options, words[++at] ?? '')
    else options.left.push(word)
  }
  return options
}

const harmless = new Set(['--allow-http', '--debug', '--silent', '--enable-proxy'])

const withValue: { readonly [option: string]: (options: Options, value: string) => void } = {
  '--header': ({ headers }, value) => {
    const [, name, text = ''] = /^([^:]+):\s*(.*)$/s.exec(value) ?? []
    if (name !== undefined) headers.push([name.trim(), text])
  },
  '--transport': (options, value) => {
    options.sse = value.startsWith('sse')
  },
  '--ignore-tool': ({ except }, value) => void except.push(value),
  '--resource': ({ oauth }, value) => {
    oauth.resource = value
  },
  '--host': () => {},
  '--auth-timeout': () => {},
  '--static-oauth-client-info': (options, value) => {
    const info = parsed(value)
    if (typeof info.client_id === 'string') options.oauth.clientId = info.client_id
    if (typeof info.client_secret === 'string') options.oauth.clientSecret = info.client_secret
    if (info.client_id === undefined) options.left.push('--static-oauth-client-info')
  },
  '--static-oauth-client-metadata': (options, value) => {
    const { scope } = parsed(value)
    if (typeof scope === 'string') options.oauth.scopes = scope.split(' ')
    else options.left.push('--static-oauth-client-metadata')
  },
}

function parsed(text: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {}
  } catch {
    return {}
  }
}
