import type { Fields } from '../wire/messages.ts'

/** The result of a failed tool, for a model to read. */
export function failedTool(text: string): Fields {
  return { content: [{ type: 'text', text }], isError: true }
}
