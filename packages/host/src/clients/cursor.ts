import type { KnownClient } from './client.ts'

const docs = { source: 'https://cursor.com/docs/mcp', on: '2026-11-15' }
const names = { source: 'https://github.com/ComposioHQ/composio/issues/2788', on: '2026-02-27' }
const permissions = { source: 'https://cursor.com/docs/reference/permissions', on: '2026-11-15' }

/** Cursor. */
export const cursor: KnownClient = {
  id: 'cursor',
  title: 'Cursor',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'cursor', path: '~/.cursor/mcp.json' },
      { scope: 'project', format: 'cursor', path: '.cursor/mcp.json' },
      { scope: 'user', format: 'cursor-permissions', path: '~/.cursor/permissions.json' },
      { scope: 'project', format: 'cursor-permissions', path: '.cursor/permissions.json' },
    ],
  },
  toolPrefix: undefined,
  // the name of the server and that of the tool together; at sixty a tool is left out
  maxNameLength: { ...names, value: 59 },
  maxTools: { source: 'https://github.com/anyproto/anytype-mcp/issues/5', on: '2025-06-25', value: 40 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: { ...permissions, value: true },
  promptOff: undefined,
}
