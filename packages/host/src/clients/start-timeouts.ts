import type { ClientId, Fact } from './client.ts'

/** Default time that a client waits for a server to start and list its tools, in milliseconds. */
export const startTimeouts: { readonly [Id in ClientId]?: Fact<number> } = {
  codex: { source: 'https://github.com/openai/codex/pull/16080', on: '2026-03-28', value: 30_000 },
}
