import type { Fields } from '../wire/messages.ts'

/** The result of a tool that could not do its work, for a model to read. */
export function failedTool(text: string): Fields {
  return { content: [{ type: 'text', text }], isError: true }
}
