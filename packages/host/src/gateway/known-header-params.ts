import { type HeaderParam, headerParams } from '@trunkline/mcp/relay'

const known = new WeakMap<object, readonly HeaderParam[]>()

/** The header parameters of an input schema, worked out once; none when they are wrong. */
export function knownHeaderParams(inputSchema: object): readonly HeaderParam[] {
  const earlier = known.get(inputSchema)
  if (earlier) return earlier
  const found = headerParams(inputSchema as Parameters<typeof headerParams>[0])
  const params = typeof found === 'string' ? [] : found
  known.set(inputSchema, params)
  return params
}
