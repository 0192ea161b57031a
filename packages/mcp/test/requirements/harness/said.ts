import type { CallToolResult, Client } from '../../../src/index.ts'

/** The text that a tool answered with. */
export function said({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : ''
}

/** An event that the fixture `working` saw, as soon as it happened. */
export async function witness(client: Client, event: string): Promise<string> {
  return said(await client.tools.call('witness', { event }))
}
