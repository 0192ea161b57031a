import type { KnownClient } from './client.ts'

const repository = 'https://github.com/zed-industries/zed/blob/7eec89207c'
const on = '2026-08-22'
const docs = { source: `${repository}/docs/src/ai/mcp.md`, on }
const settings = { source: `${repository}/docs/src/configuring-zed.md`, on }

/** Zed; its servers stand among its settings. */
export const zed: KnownClient = {
  id: 'zed',
  title: 'Zed',
  files: {
    ...settings,
    value: [
      {
        scope: 'user',
        format: 'zed',
        path: {
          darwin: '~/.config/zed/settings.json',
          win32: '%APPDATA%\\Zed\\settings.json',
          linux: '~/.config/zed/settings.json',
        },
      },
      { scope: 'project', format: 'zed', path: '.zed/settings.json' },
    ],
  },
  // only tools of one name get the name of their server in front
  toolPrefix: undefined,
  maxNameLength: { source: `${repository}/crates/agent/src/thread.rs`, on, value: 64 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/crates/settings_content/src/project.rs`, on, value: 60_000 },
  progressExtends: undefined,
  listChanges: { ...docs, value: true },
  elicitation: { ...docs, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  // its settings approve single tools, or every tool of every server
  promptOff: undefined,
}
