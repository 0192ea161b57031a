import { type Document, isTable, type Path, valueAt } from '../document/document.ts'
import { toolRules } from './claude-settings.ts'
import { type Reading, together, type WritableFormat } from './format.ts'
import { mcpJsonFormat } from './mcp-json.ts'
import { TableReader } from './table-reader.ts'

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
