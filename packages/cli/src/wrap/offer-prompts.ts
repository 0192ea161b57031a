import type { Server } from '@trunkline/mcp'
import type { DescribedPrompt } from './description.ts'

/** Offers the prompts of a description. */
export function offerPrompts(wrapped: Server, prompts: readonly DescribedPrompt[]): void {
  for (const { name, description, arguments: own = [], text } of prompts) {
    const definition = { ...(description !== undefined && { description }), arguments: own }
    wrapped.prompt(name, definition, (given) =>
      text.replace(/\{([\w.-]+)\}/g, (_, member: string) => argumentValue(given, member)),
    )
  }
}

function argumentValue(given: { readonly [name: string]: unknown }, member: string): string {
  return String(given[member] ?? `{${member}}`)
}
