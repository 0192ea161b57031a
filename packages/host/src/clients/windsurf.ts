import type { KnownClient } from './client.ts'

const docs = { source: 'https://docs.windsurf.com/windsurf/cascade/mcp', on: '2026-11-15' }

/** Windsurf, with its agent Cascade. */
export const windsurf: KnownClient = {
  id: 'windsurf',
  title: 'Windsurf',
  files: { ...docs, value: [{ scope: 'user', format: 'windsurf', path: '~/.codeium/windsurf/mcp_config.json' }] },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: { ...docs, value: 100 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: undefined,
  promptOff: undefined,
}
