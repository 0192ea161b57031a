import type { Fields } from '@trunkline/mcp'
import { nearName } from '@trunkline/mcp/json-schema'
import { AuthoringError } from '../failure/authoring-error.ts'
import type { ApiOperation } from './operation.ts'
import { isObject } from './read-document.ts'
import { resolved } from './references.ts'

/** Finds a secret by its name. */
export type SecretFinder = (name: string) => Promise<string | undefined>

/** Place of a credential in a request. */
export interface Credential {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly value: string
}

/** The credentials that were given, by the scheme of the description that each is for. */
export type Credentials = ReadonlyMap<string, Credential>

/** Reads what was given as `SCHEME=env:NAME` or `SCHEME=secret:NAME`; a secret itself is refused. */
export async function readCredentials(
  given: readonly string[],
  root: Fields,
  secret: SecretFinder,
): Promise<Credentials> {
  const components = isObject(root.components) ? root.components : {}
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {}
  const found = new Map<string, Credential>()
  for (const written of given) {
    const match = /^([^=]+)=(env|secret):(.+)$/.exec(written)
    if (!match) {
      const name = written.split('=')[0]
      throw new AuthoringError(
        `Cannot use "--auth ${name}=…": write SCHEME=env:NAME or SCHEME=secret:NAME, never the secret itself`,
      )
    }
    const [, scheme = '', kind, name = ''] = match
    if (!Object.hasOwn(schemes, scheme)) throw unknownScheme(scheme, Object.keys(schemes))
    const value = kind === 'env' ? process.env[name] : await secret(name)
    if (!value)
      throw new AuthoringError(
        `Cannot use "--auth ${written}": ${kind === 'env' ? `${name} is not set` : `there is no secret "${name}"; keep one: trunkline secret set ${name}`}`,
      )
    found.set(scheme, credentialOf(scheme, resolved(root, schemes[scheme]), value))
  }
  return found
}

function unknownScheme(scheme: string, known: readonly string[]) {
  const near = nearName(scheme, known)
  const guess = near === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean "${near}"?`
  return new AuthoringError(`Cannot use "--auth ${scheme}": the description has no such scheme; ${guess}`)
}

function credentialOf(scheme: string, { type, in: place, name, scheme: kind }: Fields, value: string): Credential {
  if (/[\r\n]/.test(value)) throw new AuthoringError(`Cannot use the secret for "${scheme}": it has more than one line`)
  if (type === 'apiKey') return { in: place as Credential['in'], name: String(name), value }
  // NAME:PASSWORD, as it is written down everywhere
  if (type === 'http' && String(kind).toLowerCase() === 'basic')
    return { in: 'header', name: 'authorization', value: `Basic ${Buffer.from(value).toString('base64')}` }
  return { in: 'header', name: 'authorization', value: `Bearer ${value}` }
}

/** The credentials for an operation: of the first way to show who calls for which all are there. */
export function credentialsFor({ security, name }: ApiOperation, given: Credentials): readonly Credential[] {
  if (security.length === 0) return []
  const way = security.find((schemes) => schemes.every((scheme) => given.has(scheme)))
  if (way) return way.flatMap((scheme) => given.get(scheme) ?? [])
  const wanted = security[0]?.map((scheme) => `--auth ${scheme}=env:NAME`).join(' ')
  throw new Error(`Cannot call ${name}: the API wants to know who calls; start the server with ${wanted}`)
}
