import type { ReadResourceResult } from '../../../model/types.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import { type AppLimits, appLimits } from '../app-limits.ts'
import { domainKinds, permissionNames, type ViewDomains, type ViewPermissions, viewMimeType } from '../app-meta.ts'
import { isOrigin } from '../origin-text.ts'

/** A view that was read: a page of the server, which nothing has been done with yet. */
export interface View {
  readonly uri: string
  readonly html: string
  /** The origins that it may reach, those only that can be one. */
  readonly csp: ViewDomains
  /** Features of the browser that it would like to use. */
  readonly permissions: ViewPermissions
  readonly domain: string | undefined
  readonly prefersBorder: boolean | undefined
  /** Wishes of the server that cannot be granted, in words. */
  readonly ignored: readonly string[]
}

/**
 * Takes in what a server answered to `resources/read`; throws when it is no view, or larger than one may be. For hosts whose pages do not
 * speak with the server themselves.
 */
export function viewFrom(uri: string, { contents }: ReadResourceResult, given?: AppLimits): View {
  const limits = resolveKnownLimits(appLimits, given)
  const content = contents.find((one) => one.uri === uri) as Fields | undefined
  if (!content) throw refusal(uri, 'the server did not answer with it')
  if (content.mimeType !== viewMimeType)
    throw refusal(uri, `its type is ${JSON.stringify(content.mimeType)}, not "${viewMimeType}"`)
  const ui = isObject(content._meta) && isObject(content._meta.ui) ? content._meta.ui : {}
  const ignored: string[] = []
  return {
    uri,
    html: htmlOf(uri, content, limits.maxViewBytes),
    csp: domainsOf(uri, ui.csp, limits.maxDomainsPerView, ignored),
    permissions: permissionsOf(ui.permissions, ignored),
    domain: typeof ui.domain === 'string' ? ui.domain : undefined,
    prefersBorder: typeof ui.prefersBorder === 'boolean' ? ui.prefersBorder : undefined,
    ignored,
  }
}

function htmlOf(uri: string, { text, blob }: Fields, maxBytes: number): string {
  const size = typeof text === 'string' ? text.length : typeof blob === 'string' ? (blob.length / 4) * 3 - 2 : undefined
  if (size === undefined) throw refusal(uri, 'it has neither "text" nor "blob"')
  const bytes = size > maxBytes ? undefined : bytesOfPage(uri, text, blob)
  if (bytes === undefined || bytes.length > maxBytes) throw refusal(uri, `it is larger than ${maxBytes} bytes`)
  return new TextDecoder().decode(bytes)
}

function bytesOfPage(uri: string, text: unknown, blob: unknown): Uint8Array {
  if (typeof text === 'string') return new TextEncoder().encode(text)
  try {
    return Uint8Array.from(atob(blob as string), (character) => character.charCodeAt(0))
  } catch {
    throw refusal(uri, 'its "blob" is not base64')
  }
}

function domainsOf(uri: string, csp: unknown, most: number, ignored: string[]): ViewDomains {
  const given = isObject(csp) ? csp : {}
  const kept = domainKinds.map((kind) => {
    const origins = Array.isArray(given[kind]) ? given[kind] : []
    for (const bad of origins.filter((origin) => !isOrigin(origin)))
      ignored.push(`"${kind}" names ${JSON.stringify(bad)?.slice(0, 100)}, which is no origin`)
    return [kind, origins.filter(isOrigin)] as const
  })
  const count = kept.reduce((sum, [, origins]) => sum + origins.length, 0)
  if (count + ignored.length > most) throw refusal(uri, `it names more than ${most} origins`)
  return Object.fromEntries(kept.filter(([, origins]) => origins.length > 0))
}

function permissionsOf(permissions: unknown, ignored: string[]): ViewPermissions {
  const names = Object.keys(isObject(permissions) ? permissions : {})
  for (const name of names) if (!Object.hasOwn(permissionNames, name)) ignored.push(`there is no permission "${name}"`)
  return Object.fromEntries(names.filter((name) => Object.hasOwn(permissionNames, name)).map((name) => [name, {}]))
}

function refusal(uri: string, problem: string): McpError {
  return new McpError('InvalidResponse', `Cannot show view "${uri.slice(0, 200)}": ${problem}`)
}
