import type { KnownClient } from './client.ts'

const repository = 'https://github.com/github/docs/blob/03b432e6d5/content/copilot'
const on = '2026-11-17'
const folder = { source: `${repository}/reference/copilot-cli-reference/cli-config-dir-reference.md`, on }
const changes = { source: 'https://github.com/github/copilot-cli/blob/9532bdacf5/changelog.md', on: '2026-08-03' }
const home = { variable: 'COPILOT_HOME', instead: '~/.copilot' }

/** GitHub Copilot CLI. */
export const copilotCli: KnownClient = {
  id: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  files: {
    ...folder,
    value: [
      { scope: 'user', format: 'copilot-cli', path: '~/.copilot/mcp-config.json', moved: home },
      // it reads .mcp.json too, which is listed once, for Claude Code: a project that has it need not be used with both
      { scope: 'project', format: 'copilot-cli', path: '.github/mcp.json' },
      { scope: 'user', format: 'copilot-settings', path: '~/.copilot/settings.json', moved: home },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: { ...changes, value: true },
  elicitation: { ...changes, value: ['form'] },
  // it depends on the model
  searchesTools: undefined,
  asksFirst: { ...folder, value: true },
  // approvals are kept for each folder
  promptOff: undefined,
}
