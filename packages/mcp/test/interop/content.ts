import type { CallResult } from './driver.ts'

/** Text as it travels. */
export const said = (text: string) => ({ type: 'text', text })

/** The first block that a tool returned, if it was text. */
export const firstText = ({ content }: CallResult): unknown => (content[0] as { text?: unknown } | undefined)?.text
