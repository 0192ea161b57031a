import type { Fields } from '@trunkline/mcp'

/** Characters of JSON that make about one token; models differ, so this is an estimate for comparing. */
const charactersPerToken = 3.6

/** About how many tokens a tool takes in each conversation it is offered to. */
export function estimatedTokens({ name, description, inputSchema }: Fields): number {
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / charactersPerToken)
}
