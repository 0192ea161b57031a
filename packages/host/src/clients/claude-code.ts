import type { KnownClient } from './client.ts'

const changes = { source: 'https://github.com/anthropics/claude-code/blob/5cfc0a1905/CHANGELOG.md', on: '2026-08-22' }
const runtime = { source: 'https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime', on: '2026-10-19' }
const binary = { source: 'https://github.com/vfarcic/dot-ai/pull/708', on: '2026-08-05' }

/** Claude Code, the command and its editor extensions. */
export const claudeCode: KnownClient = {
  id: 'claude-code',
  title: 'Claude Code',
  files: {
    ...changes,
    value: [
      {
        scope: 'user',
        format: 'claude-code',
        path: '~/.claude.json',
        moved: { variable: 'CLAUDE_CONFIG_DIR', instead: '~' },
      },
      {
        scope: 'user',
        format: 'claude-settings',
        path: '~/.claude/settings.json',
        moved: { variable: 'CLAUDE_CONFIG_DIR', instead: '~/.claude' },
      },
      { scope: 'project', format: 'mcp-json', path: '.mcp.json' },
      { scope: 'project', format: 'claude-settings', path: '.claude/settings.json' },
      { scope: 'local', format: 'claude-settings', path: '.claude/settings.local.json' },
    ],
  },
  toolPrefix: { ...runtime, value: 'mcp__{server}__' },
  maxNameLength: { ...runtime, value: 128 },
  maxTools: undefined,
  // a call that says nothing for this long is given up; progress counts as saying something
  callTimeoutMs: { ...binary, value: 300_000 },
  progressExtends: { ...binary, value: true },
  listChanges: { ...changes, value: true },
  elicitation: { ...changes, value: ['form', 'url'] },
  searchesTools: { ...changes, value: true },
  asksFirst: { ...changes, value: true },
  promptOff: {
    ...changes,
    value: {
      where: { path: '~/.claude/settings.json', format: 'json' },
      keys: ['permissions', 'allow'],
      value: 'mcp__{server}__*',
      adds: true,
    },
  },
}
