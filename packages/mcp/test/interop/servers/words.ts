/** What a tool of an official SDK returns that has one thing to say. */
export const reply = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** What a prompt of an official SDK returns that has one thing to say. */
export const user = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})
