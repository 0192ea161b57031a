import { type KnownClient, type SchemaRule, schemaRules } from '@trunkline/host/config'
import type { Fields, Tool } from '@trunkline/mcp/client'
import type { CheckedServer, ClientFinding } from './client-finding.ts'

/** Parts of input schemas that a client refuses or takes out. */
export function checkSchemas({ tools }: CheckedServer, client: KnownClient): readonly ClientFinding[] {
  const rules = schemaRules[client.id] ?? []
  return tools.flatMap((tool) =>
    rules.flatMap(({ value: rule, source }): readonly ClientFinding[] => {
      const found = matches(rule, tool.inputSchema)
      if (found.length === 0) return []
      return [{ ...told(rule, found), about: 'schema', tool: tool.name, source }]
    }),
  )
}

function told(
  { about, outcome }: SchemaRule,
  found: readonly string[],
): Pick<ClientFinding, 'level' | 'problem' | 'fix'> {
  const what = found.slice(0, 5).join(', ')
  if (outcome === 'keywords-dropped')
    return {
      level: 'note',
      problem: `${what} is taken out of its schema`,
      fix: 'check it in the tool, and say it in the description',
    }
  const whom =
    outcome === 'server-refused' ? 'every request that offers it is refused, with all other tools' : 'it is left out'
  if (about === 'array-without-items')
    return {
      level: 'refused',
      problem: `${whom}: ${what} is a list without "items"`,
      fix: 'say what is in it with "items"',
    }
  return {
    level: 'refused',
    problem: `${whom}: its schema has ${what} at the root`,
    fix: 'say it inside "properties", or check it in the tool',
  }
}

function matches({ about, keywords = [] }: SchemaRule, schema: Tool['inputSchema']): readonly string[] {
  if (about === 'root-keywords') return keywords.filter((keyword) => Object.hasOwn(schema, keyword))
  const found = new Set<string>()
  for (const [place, part] of schemasIn(schema, '')) {
    if (about === 'array-without-items') {
      const isList = part.type === 'array' || (Array.isArray(part.type) && part.type.includes('array'))
      if (isList && part.items === undefined && part.prefixItems === undefined) found.add(place || 'the input')
    } else for (const keyword of keywords) if (Object.hasOwn(part, keyword) && !remarks.has(keyword)) found.add(keyword)
  }
  return [...found]
}

/** Nothing is allowed or refused by these, so nothing is lost with them. */
const remarks = new Set(['$schema', '$id', '$comment'])

const ofSchemas = ['properties', 'patternProperties', '$defs', 'definitions']
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const aSchema = ['items', 'additionalProperties', 'not', 'if', 'then', 'else']

/** A schema and all in it, each with the names that lead to it. */
function* schemasIn(schema: Fields, place: string): Generator<readonly [string, Fields]> {
  yield [place, schema]
  for (const keyword of ofSchemas)
    for (const [name, part] of Object.entries((schema[keyword] ?? {}) as Fields))
      if (isFields(part)) yield* schemasIn(part, place === '' ? name : `${place}.${name}`)
  for (const keyword of listsOfSchemas)
    for (const part of Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [])
      if (isFields(part)) yield* schemasIn(part, place)
  for (const keyword of aSchema) {
    const part = schema[keyword]
    if (isFields(part)) yield* schemasIn(part, keyword === 'items' ? `${place}[]` : place)
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
