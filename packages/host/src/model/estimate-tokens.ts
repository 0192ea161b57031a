import type { ModelRequest } from './model-request.ts'

/** Most tokenizers make about one token of so many characters. */
const charsPerToken = 4
/** Typical count of providers for an image or a sound, whatever its size. */
const tokensPerFile = 1_500

/** About how many tokens a request takes before the answer; providers say exactly only afterwards. */
export function estimateTokens({
  system = '',
  messages,
  tools = [],
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  let files = 0
  const text = JSON.stringify([system, messages, tools], (key, value) => {
    if (key !== 'data') return value
    files += 1
    return undefined
  })
  return tokensOf(text) + files * tokensPerFile
}

/** About how many tokens a text takes. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / charsPerToken)
}
