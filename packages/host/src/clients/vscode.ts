import type { KnownClient } from './client.ts'

const repository = 'https://github.com/microsoft/vscode-docs/blob/742b93582c'
const on = '2026-08-21'
const formats = { source: `${repository}/docs/agents/reference/mcp-configuration.md`, on }
const guide = { source: `${repository}/api/extension-guides/ai/mcp.md`, on }
const tools = { source: `${repository}/docs/agents/run/tools.md`, on }

/** Visual Studio Code with Copilot. */
export const vscode: KnownClient = {
  id: 'vscode',
  title: 'VS Code',
  files: {
    ...formats,
    value: [
      {
        scope: 'user',
        format: 'vscode',
        path: {
          darwin: '~/Library/Application Support/Code/User/mcp.json',
          win32: '%APPDATA%\\Code\\User\\mcp.json',
          linux: '~/.config/Code/User/mcp.json',
        },
      },
      { scope: 'project', format: 'vscode', path: '.vscode/mcp.json' },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: { source: 'https://github.com/microsoft/vscode/issues/243602', on: '2025-03-14', value: 64 },
  maxTools: { ...tools, value: 128 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: { ...guide, value: true },
  elicitation: { ...guide, value: ['form'] },
  searchesTools: { source: `${repository}/docs/agents/reference/ai-settings.md`, on, value: true },
  asksFirst: { ...guide, value: true },
  // its settings approve every tool of every server or none
  promptOff: undefined,
}
