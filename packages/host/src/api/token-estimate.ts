import type { Fields } from '@trunkline/mcp'

/** Characters of JSON that make about one token; models differ, so this is an estimate for comparing. */
const charactersPerToken = 3.6

/** About how many tokens a tool takes in each conversation it is offered to. */
export function estimatedTokens({ name, description, inputSchema }: Fields): number {
  return tokensOfText(JSON.stringify({ name, description, inputSchema }))
}

/** About how many tokens a text takes. */
export function tokensOfText(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}
