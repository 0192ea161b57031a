import type { KnownClient } from './client.ts'

const repository = 'https://github.com/google-gemini/gemini-cli/blob/5411f113ca'
const on = '2026-08-21'
const docs = { source: `${repository}/docs/tools/mcp-server.md`, on }
const client = { source: `${repository}/packages/core/src/tools/mcp-client.ts`, on }
const names = { source: `${repository}/packages/core/src/tools/mcp-tool.ts`, on }

/** Gemini CLI. */
export const geminiCli: KnownClient = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'gemini-cli', path: '~/.gemini/settings.json' },
      { scope: 'project', format: 'gemini-cli', path: '.gemini/settings.json' },
    ],
  },
  toolPrefix: { ...names, value: 'mcp_{server}_' },
  // longer ones lose their middle
  maxNameLength: { ...names, value: 63 },
  maxTools: undefined,
  callTimeoutMs: { ...client, value: 600_000 },
  progressExtends: { ...client, value: false },
  listChanges: { ...client, value: true },
  elicitation: { ...client, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  promptOff: { ...docs, value: { where: 'entry', keys: ['trust'], value: true, adds: false } },
}
