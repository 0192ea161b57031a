import type { Fields } from '@trunkline/mcp'
import type { Credential } from './credentials.ts'
import { encodeBody, textOf } from './encode-body.ts'
import type { ApiOperation, ApiParameter } from './operation.ts'

/** A request as it is sent. */
export interface ApiRequest {
  readonly url: URL
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | Uint8Array | FormData
}

/** Makes the request of a call; nothing that was given can lead it away from the base address. */
export function buildRequest(
  { method, path, parameters, body }: ApiOperation,
  {
    base,
    given,
    credentials,
  }: { readonly base: URL; readonly given: Fields; readonly credentials: readonly Credential[] },
): ApiRequest {
  const url = new URL(base)
  url.pathname = base.pathname.replace(/\/$/, '') + filledPath(path, parameters, given)
  const headers: { [name: string]: string } = { accept: 'application/json, */*;q=0.5' }
  const cookies: string[] = []
  for (const parameter of parameters) {
    const value = given[parameter.argument]
    if (value === undefined) continue
    if (parameter.in === 'query')
      for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text)
    if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = headerText(parameter, value)
    if (parameter.in === 'cookie') cookies.push(`${parameter.name}=${encodeURIComponent(textOf(value))}`)
  }
  for (const { in: place, name, value } of credentials) {
    if (place === 'query') url.searchParams.set(name, value)
    else if (place === 'cookie') cookies.push(`${name}=${encodeURIComponent(value)}`)
    else headers[name.toLowerCase()] = value
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const sent = body && given.body !== undefined ? encodeBody(body, given.body) : undefined
  if (sent?.type !== undefined) headers['content-type'] = sent.type
  return { url, method, headers, ...(sent && { body: sent.content }) }
}

function filledPath(path: string, parameters: readonly ApiParameter[], given: Fields): string {
  return path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    if (parameter === undefined) return encodeURIComponent(whole)
    const text = textOf(given[parameter.argument])
    // such a part of a path is taken for a way to other paths
    if (/^\.{0,2}$/.test(text))
      throw new Error(`Cannot use ${JSON.stringify(text)} for ${parameter.argument}: it is no part of a path`)
    return encodeURIComponent(text)
  })
}

function headerText({ argument }: ApiParameter, value: unknown): string {
  const text = textOf(value)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new Error(`Cannot send ${argument} in a header: it has characters that none may have`)
  return text
}

const separators: { readonly [style: string]: string } = { spaceDelimited: ' ', pipeDelimited: '|' }

function queryPairs(
  { name, style = 'form', explode = style === 'form' }: ApiParameter,
  value: unknown,
): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => [name, textOf(item)])
    return [[name, value.map(textOf).join(separators[style] ?? ',')]]
  }
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]]
  const members = Object.entries(value)
  if (style === 'deepObject') return members.map(([member, item]) => [`${name}[${member}]`, textOf(item)])
  if (explode) return members.map(([member, item]) => [member, textOf(item)])
  return [[name, members.flatMap(([member, item]) => [member, textOf(item)]).join(',')]]
}
