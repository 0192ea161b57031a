import type { ClientId, Fact } from './client.ts'

/** Milliseconds that a client waits for a server to start and list its tools, unless it is told otherwise. */
export const startTimeouts: { readonly [Id in ClientId]?: Fact<number> } = {
  codex: { source: 'https://github.com/openai/codex/pull/16080', on: '2026-03-28', value: 30_000 },
}
