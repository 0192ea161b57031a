import type { CallResult } from './driver.ts'

/** Text as it travels. */
export const said = (text: string) => ({ type: 'text', text })

/** What a tool said first, if that was text. */
export const firstText = ({ content }: CallResult): unknown => (content[0] as { text?: unknown } | undefined)?.text
