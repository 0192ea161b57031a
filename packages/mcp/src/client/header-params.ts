import { argumentAt, type HeaderParam } from '../model/header-params.ts'
import type { Labels } from '../rpc/channel.ts'

/** The header parameters of a call, by header name; missing arguments are left out. */
export function labelsOf(params: readonly HeaderParam[], input: unknown): Labels {
  const labels = params.map(({ name, path }) => [name, argumentAt(input, path)] as const)
  const present = labels.filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}
