import type { ViewMessage } from '@trunkline/mcp/apps'

/** The conversation that an app is shown in. */
export interface AppTalk {
  /** True while no message can be sent. */
  readonly isBusy: boolean
  say(text: string): Promise<void>
}

/** More than this no person reads before it is said in their name. */
export const maxMessageChars = 10_000

/** Text of an app's message, with the name of its server; undefined if it is not text alone, empty, or too long. */
export function textToSay(server: string, { content }: ViewMessage): string | undefined {
  const texts = content.map((block) => (block.type === 'text' ? block.text : undefined))
  if (!texts.every((text) => typeof text === 'string')) return undefined
  const text = texts.join('\n').trim()
  if (text === '' || text.length > maxMessageChars) return undefined
  return `[app of ${server}] ${text}`
}
