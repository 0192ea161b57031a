import type { KnownClient } from './client.ts'

const repository = 'https://github.com/cline/cline/blob/21cb8d2525'
const on = '2026-08-22'
const paths = { source: `${repository}/sdk/packages/shared/src/storage/paths.ts`, on }
const docs = { source: `${repository}/docs/mcp/mcp-overview.mdx`, on }
const names = { source: `${repository}/sdk/packages/core/src/extensions/mcp/name-transform.ts`, on }
const hub = { source: `${repository}/apps/vscode/src/services/mcp/McpHub.ts`, on }

const shared = '~/.cline/data/settings/cline_mcp_settings.json'
const former = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'

/** Cline, the command and its editor extensions, which share one file. */
export const cline: KnownClient = {
  id: 'cline',
  title: 'Cline',
  files: {
    ...paths,
    value: [
      {
        scope: 'user',
        format: 'cline',
        path: shared,
        moved: [
          { variable: 'CLINE_MCP_SETTINGS_PATH', instead: shared },
          { variable: 'CLINE_DATA_DIR', instead: '~/.cline/data' },
          { variable: 'CLINE_DIR', instead: '~/.cline' },
        ],
      },
      // earlier versions of the extension; later ones copy it into the shared file once
      {
        scope: 'user',
        format: 'cline',
        path: {
          darwin: `~/Library/Application Support/${former}`,
          win32: `%APPDATA%\\${former.replaceAll('/', '\\')}`,
          linux: `~/.config/${former}`,
        },
        isFormer: true,
      },
    ],
  },
  toolPrefix: { ...names, value: '{server}__' },
  maxNameLength: { ...names, value: 64 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/sdk/packages/shared/src/mcp.ts`, on, value: 60_000 },
  progressExtends: undefined,
  listChanges: { ...hub, value: true },
  elicitation: { ...hub, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  // "autoApprove" names single tools, and those of a server may change
  promptOff: undefined,
}
