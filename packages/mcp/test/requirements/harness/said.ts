import type { CallToolResult, Client } from '../../../src/index.ts'

/** The text that a tool answered with. */
export function said({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : ''
}

/** What the fixture `working` saw happen, as soon as it did. */
export async function witness(client: Client, event: string): Promise<string> {
  return said(await client.tools.call('witness', { event }))
}
