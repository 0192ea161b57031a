import { McpError } from '../../../wire/errors.ts'
import { isObject } from '../../../wire/messages.ts'
import { didYouMean } from '../../../wire/near-name.ts'
import { domainKinds, permissionNames, type ViewMeta } from '../app-meta.ts'
import { isOrigin } from '../origin-text.ts'
import type { ViewDefinition } from './server-app-options.ts'

const members = ['html', 'name', 'description', 'csp', 'permissions', 'domain', 'prefersBorder']

/** Takes in what an author says of a view; throws when hosts could make nothing of it. */
export function viewMetaOf(uri: string, definition: ViewDefinition): ViewMeta {
  if (!uri.startsWith('ui://') || !URL.canParse(uri))
    throw refusal(uri, 'the address of a view begins with "ui://", as in "ui://weather/map"')
  if (!isObject(definition)) throw refusal(uri, 'write { html: … }')
  assertMembers(uri, definition, members, '')
  const { html, name: _, description: __, ...meta } = definition
  if (typeof html !== 'string' && typeof html !== 'function')
    throw refusal(uri, '"html" must be text, or a function that returns it')
  assertMembers(uri, meta.csp, domainKinds, 'csp.')
  for (const kind of domainKinds) assertOrigins(uri, kind, meta.csp?.[kind])
  assertMembers(uri, meta.permissions, Object.keys(permissionNames), 'permissions.')
  return meta
}

function assertMembers(uri: string, value: object | undefined, known: readonly string[], within: string): void {
  const stray = Object.keys(value ?? {}).find((name) => !known.includes(name))
  if (stray !== undefined) throw refusal(uri, `there is no "${within}${stray}"${didYouMean(stray, known)}`)
}

function assertOrigins(uri: string, kind: string, origins: unknown): void {
  if (origins === undefined) return
  if (!Array.isArray(origins)) throw refusal(uri, `"csp.${kind}" must be a list of origins`)
  const bad = origins.findIndex((origin) => !isOrigin(origin))
  if (bad >= 0)
    throw refusal(
      uri,
      `"csp.${kind}[${bad}]" is ${JSON.stringify(origins[bad])}, but must be an origin, as in "https://api.example.com"`,
    )
}

function refusal(uri: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot offer view "${uri}": ${problem}`)
}
