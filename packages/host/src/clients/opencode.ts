import type { KnownClient } from './client.ts'

const repository = 'https://github.com/anomalyco/opencode/blob/d545d8fba5/packages'
const on = '2026-08-19'
const docs = { source: `${repository}/web/src/content/docs/config.mdx`, on }
const catalog = { source: `${repository}/opencode/src/mcp/catalog.ts`, on }
const client = { source: `${repository}/opencode/src/mcp/index.ts`, on }

/** OpenCode. */
export const opencode: KnownClient = {
  id: 'opencode',
  title: 'OpenCode',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'opencode', path: '~/.config/opencode/opencode.json' },
      { scope: 'user', format: 'opencode', path: '~/.config/opencode/opencode.jsonc' },
      { scope: 'project', format: 'opencode', path: 'opencode.json' },
      { scope: 'project', format: 'opencode', path: 'opencode.jsonc' },
    ],
  },
  toolPrefix: { ...catalog, value: '{server}_' },
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: { ...catalog, value: true },
  listChanges: { ...client, value: true },
  elicitation: { ...client, value: [] },
  searchesTools: undefined,
  asksFirst: undefined,
  promptOff: undefined,
}
