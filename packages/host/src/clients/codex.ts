import type { KnownClient } from './client.ts'

const repository = 'https://github.com/openai/codex/blob/343074d420/codex-rs'
const on = '2026-08-22'
const formats = { source: `${repository}/config/src/mcp_types.rs`, on }
const names = { source: `${repository}/codex-mcp/src/tools.rs`, on }
const handler = { source: `${repository}/rmcp-client/src/logging_client_handler.rs`, on }

const home = { variable: 'CODEX_HOME', instead: '~/.codex' }

/** Codex, the command and its editor extensions. */
export const codex: KnownClient = {
  id: 'codex',
  title: 'Codex',
  files: {
    ...formats,
    value: [
      { scope: 'user', format: 'codex', path: '~/.codex/config.toml', moved: home },
      { scope: 'project', format: 'codex', path: '.codex/config.toml' },
    ],
  },
  toolPrefix: { ...names, value: 'mcp__{server}__' },
  maxNameLength: { ...names, value: 128 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/codex-mcp/src/rmcp_client.rs`, on, value: 300_000 },
  // progress and changed lists are written to its log and nothing else
  progressExtends: { ...handler, value: false },
  listChanges: { ...handler, value: false },
  elicitation: { ...handler, value: ['form'] },
  searchesTools: undefined,
  asksFirst: { ...formats, value: true },
  promptOff: {
    ...formats,
    value: { where: 'entry', keys: ['default_tools_approval_mode'], value: 'approve', adds: false },
  },
}
