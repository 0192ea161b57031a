import { type Document, isTable, type Path, valueAt } from '../config/document/document.ts'
import type { KnownClient } from './client.ts'
import { type ClientFormat, type FoundRule, type Reading, together, type WritableFormat } from './client-format.ts'
import { mcpJsonFormat } from './mcp-json.ts'
import { TableReader } from './table-reader.ts'

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

/** `~/.claude.json`: servers for all projects and, below each project, servers and decisions for that one. */
export const claudeCodeFormat: WritableFormat = {
  id: 'claude-code',
  syntax: 'json',
  read(document) {
    const projects = valueAt(document.value, ['projects'])
    const names = isTable(projects) ? Object.keys(projects) : []
    return together(mcpJsonFormat.read(document), ...names.map((project) => readProject(document, project)))
  },
  entryPath: (_, name) => ['mcpServers', name],
  write: mcpJsonFormat.write,
}

function readProject(document: Document, project: string): Reading {
  const path: Path = ['projects', project]
  const fields = new TableReader(document, path)
  const off = (fields.texts('disabledMcpServers') ?? []).map((server) => ({ server, project }))
  const more = (fields.texts('disabledMcpjsonServers') ?? []).map((server) => ({ server, project }))
  const inside = {
    ...document,
    value: valueAt(document.value, path) ?? {},
    lineOf: (at: Path) => document.lineOf([...path, ...at]),
  }
  const { servers, rules, left } = mcpJsonFormat.read(inside)
  return together({
    servers: servers.map((server) => ({ ...server, project })),
    rules: [...rules, ...toolRules('allow', fields, 'allowedTools')],
    off: [...off, ...more],
    left: [...left, ...fields.left],
  })
}

/** `settings.json` of Claude Code: permissions to run, ask and deny. */
export const claudeSettingsFormat: ClientFormat = {
  id: 'claude-settings',
  syntax: 'json',
  read(document) {
    const permissions = new TableReader(document, ['permissions'])
    const rules = (['allow', 'ask', 'deny'] as const).flatMap((effect) => toolRules(effect, permissions, effect))
    const fields = new TableReader(document, [], permissions.left)
    const off = (fields.texts('disabledMcpjsonServers') ?? []).map((server) => ({ server }))
    return together({ rules, off, left: permissions.left })
  },
}

/** The rules of a list that are about tools of servers: `mcp__server`, `mcp__server__tool`, with `*`. */
export function toolRules(effect: FoundRule['effect'], fields: TableReader, key: string): FoundRule[] {
  return (fields.texts(key) ?? []).flatMap((text, at) => {
    const [, server, tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/s.exec(text) ?? []
    if (server === undefined) return []
    const isLoose = effect === 'allow' && server.includes('*')
    if (!isLoose && !/[()\s{}:]/.test(text)) return [{ effect, server, tool, place: fields.placeOf(key, at) }]
    fields.leave([key, at], `is "${text}", which counts for nothing there either`, 'write a rule of your own')
    return []
  })
}
