import type { ViewMessage } from '@trunkline/mcp/apps'

/** The conversation that an app is shown in. */
export interface AppTalk {
  /** Whether nothing can be said now. */
  readonly isBusy: boolean
  say(text: string): Promise<void>
}

/** More than this no person reads before it is said in their name. */
export const maxMessageChars = 10_000

/** What an app wants to be said, with who wants it; undefined when it is not text alone, nothing, or too much. */
export function textToSay(server: string, { content }: ViewMessage): string | undefined {
  const texts = content.map((block) => (block.type === 'text' ? block.text : undefined))
  if (!texts.every((text) => typeof text === 'string')) return undefined
  const text = texts.join('\n').trim()
  if (text === '' || text.length > maxMessageChars) return undefined
  return `[app of ${server}] ${text}`
}
