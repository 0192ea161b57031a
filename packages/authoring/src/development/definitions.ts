import { canonicalJson } from '@trunkline/mcp'
import type { Client } from '@trunkline/mcp/client'

/** Definitions that a server offers as complete text, by kind and name. */
export type Definitions = ReadonlyMap<string, string>

/** Differences between a server's definitions and its earlier ones. */
export interface DefinitionChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** Lists all that a server offers. */
export async function readDefinitions(
  { capabilities, tools, prompts, resources }: Client,
  signal: AbortSignal,
): Promise<Definitions> {
  const found = new Map<string, string>()
  const keep = (kind: string, name: string, definition: object): void =>
    void found.set(`${kind} ${name}`, canonicalJson(definition))
  if (capabilities.tools) for (const tool of await tools.list({ signal }).all()) keep('tool', tool.name, tool)
  if (capabilities.prompts)
    for (const prompt of await prompts.list({ signal }).all()) keep('prompt', prompt.name, prompt)
  if (capabilities.resources)
    for (const resource of await resources.list({ signal }).all()) keep('resource', resource.uri, resource)
  return found
}

/** Compares what is offered now with what was offered before. */
export function compareDefinitions(before: Definitions, now: Definitions): DefinitionChanges {
  return {
    added: [...now.keys()].filter((name) => !before.has(name)),
    changed: [...now].filter(([name, text]) => before.has(name) && before.get(name) !== text).map(([name]) => name),
    removed: [...before.keys()].filter((name) => !now.has(name)),
  }
}
