/** Result of a tool of an official SDK, with one text. */
export const reply = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** Result of a prompt of an official SDK, with one text. */
export const user = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})
