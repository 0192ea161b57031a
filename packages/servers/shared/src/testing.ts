/** Counting tokens in tests of the bundled servers, by one vocabulary: o200k_base of js-tiktoken 1.0.21. */
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'

let tokenizer: Tiktoken | undefined

/** The number of tokens of a text. */
export function countTokens(text: string): number {
  tokenizer ??= new Tiktoken(o200k)
  return tokenizer.encode(text, [], []).length
}

/** Tokens of a result: clients give a model its text or its structured content, so the longer of both counts. */
export function tokensOfResult(result: {
  readonly content?: readonly { readonly type: string }[]
  readonly structuredContent?: unknown
}): number {
  const text = (result.content ?? [])
    .map((block) => ('text' in block ? `${block.text}` : JSON.stringify(block)))
    .join('\n')
  return Math.max(countTokens(text), countTokens(JSON.stringify(result.structuredContent) ?? ''))
}

/** Tokens of the definitions of tools as a model gets them: name, description and the schema of the arguments. */
export function tokensOfDefinitions(
  tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: unknown }[],
): number {
  return countTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  )
}
