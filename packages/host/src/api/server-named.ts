import { nearName } from '@trunkline/mcp/json-schema'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import type { Upstream } from '../servers/upstream.ts'
import { ApiError } from './api-error.ts'

/** A configured server by its name or key; answers 404 if there is none, 409 if there are several. */
export function specNamed(host: Host, name: string): ServerSpec {
  const { specs } = host
  if (!specs.some((spec) => spec.name === name || serverNameOf(spec.name) === name)) throw unknownServer(name, specs)
  try {
    const key = host.keyOf(name)
    return specs.find((spec) => spec.name === key) as ServerSpec
  } catch (error) {
    throw new ApiError(409, (error as Error).message)
  }
}

/** The same server as it runs. */
export function upstreamNamed(host: Host, name: string): Upstream {
  const found = host.servers.get(specNamed(host, name).name)
  if (!found) throw unknownServer(name, host.specs)
  return found
}

function unknownServer(name: string, specs: readonly ServerSpec[]): ApiError {
  const names = specs.map((spec) => serverNameOf(spec.name))
  const near = nearName(name, names)
  if (near !== undefined) return new ApiError(404, `There is no server "${name}"; did you mean "${near}"?`)
  const known = names.map((one) => `"${one}"`).join(', ')
  return new ApiError(
    404,
    `There is no server "${name}"; ${known === '' ? 'none is configured' : `there are ${known}`}`,
  )
}
