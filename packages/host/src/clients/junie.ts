import type { KnownClient } from './client.ts'

const docs = { source: 'https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html', on: '2026-06-17' }
const help = { source: 'https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html', on: '2026-11-17' }

/** Junie, the agent of JetBrains: the plugin of its editors and the command read the same files. */
export const junie: KnownClient = {
  id: 'junie',
  title: 'Junie (JetBrains)',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'junie', path: '~/.junie/mcp/mcp.json' },
      { scope: 'project', format: 'junie', path: '.junie/mcp/mcp.json' },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: { ...help, value: true },
  promptOff: undefined,
}
