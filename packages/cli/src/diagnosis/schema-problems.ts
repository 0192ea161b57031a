import type { Tool } from '@trunkline/mcp/client'
import { compile } from '@trunkline/mcp/json-schema'

/** The first tool whose schema no client can use, and why. */
export function badSchema(
  tools: readonly Tool[],
  warnings: readonly string[],
): { readonly tool: string | undefined; readonly why: string } | undefined {
  const left = warnings.find((warning) => /^Left out tools\[/.test(warning))
  if (left !== undefined) return { tool: undefined, why: left }
  const twice = repeatedName(tools)
  if (twice !== undefined) return { tool: undefined, why: repeatedSentence(twice) }
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const [what, schema] of Object.entries({ inputSchema, outputSchema })) {
      const why = schema === undefined ? undefined : mistakeIn(schema)
      if (why !== undefined) return { tool: name, why: `${what} of "${name}": ${why}` }
    }
  }
  return undefined
}

/** The first name that two tools of a server have. */
export function repeatedName(tools: readonly Pick<Tool, 'name'>[]): string | undefined {
  const names = tools.map(({ name }) => name)
  return names.find((name, at) => names.indexOf(name) < at)
}

/** The sentence about two tools of one name, with the fix. */
export function repeatedSentence(name: string): string {
  return `Two tools are named "${name}", and no client can tell which one is called; rename one of them in the server`
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
