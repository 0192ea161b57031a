import type { Fields } from '@trunkline/mcp'
import { AuthoringError } from '../failure/authoring-error.ts'
import { isObject } from './read-document.ts'

/** The one address that every call goes to: the one that was given, else the first server of the description. */
export function baseAddress(
  root: Fields,
  { given, documentUrl }: { readonly given?: string | undefined; readonly documentUrl?: string | undefined },
): URL {
  if (given !== undefined) return checked(given, '--base')
  const [first] = Array.isArray(root.servers) ? root.servers : []
  const server: Fields = isObject(first) ? first : {}
  const variables = isObject(server.variables) ? server.variables : {}
  // callers have no say in where they go, so what may vary is what the description says it is by default
  const written = String(server.url ?? '/').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name]
    return isObject(variable) ? String(variable.default ?? '') : ''
  })
  if (documentUrl === undefined && !/^https?:/i.test(written))
    throw new AuthoringError(
      `Cannot tell where the API is: its description says "${written}"`,
      'Say it with --base https://…',
    )
  return checked(new URL(written, documentUrl).href, 'the first server of the description')
}

function checked(address: string, source: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new AuthoringError(
      `Cannot use "${address}" (${source}): it must be an http or https address without name, query and fragment`,
    )
  return url
}

/** True if requests there can be read on the way. */
export function isOpenToOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
