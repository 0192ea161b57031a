import type { Tool } from '@trunkline/mcp/client'
import { compile } from '@trunkline/mcp/json-schema'

/** The first tool whose schema no client can use, and why. */
export function badSchema(
  tools: readonly Tool[],
  warnings: readonly string[],
): { readonly tool: string | undefined; readonly why: string } | undefined {
  const left = warnings.find((warning) => /^Left out tools\[/.test(warning))
  if (left !== undefined) return { tool: undefined, why: left }
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const [what, schema] of Object.entries({ inputSchema, outputSchema })) {
      const why = schema === undefined ? undefined : mistakeIn(schema)
      if (why !== undefined) return { tool: name, why: `${what} of "${name}": ${why}` }
    }
  }
  return undefined
}

function mistakeIn(schema: object): string | undefined {
  if ((schema as { type?: unknown }).type !== 'object') return 'its type is not "object"'
  try {
    compile(schema as Tool['inputSchema'])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
