import { basename } from 'node:path'
import { type Document, type Edit, isTable, valueAt } from '../config/document/document.ts'
import { readJson } from '../config/document/json.ts'
import { editJson } from '../config/document/json-edit.ts'
import { readToml } from '../config/document/toml.ts'
import { editToml } from '../config/document/toml-edit.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import { claudeCodeFormat, claudeSettingsFormat } from './claude-code.ts'
import { claudeDesktopFormat } from './claude-desktop.ts'
import type { ClientFormat, WritableFormat } from './client-format.ts'
import { clineFormat } from './cline.ts'
import { codexFormat } from './codex.ts'
import { copilotCliFormat, copilotSettingsFormat } from './copilot-cli.ts'
import { cursorFormat, cursorPermissionsFormat } from './cursor.ts'
import { geminiCliFormat } from './gemini-cli.ts'
import { junieFormat } from './junie.ts'
import { mcpJsonFormat } from './mcp-json.ts'
import { opencodeFormat } from './opencode.ts'
import { registryFormat } from './server-json.ts'
import { vscodeFormat } from './vscode.ts'
import { windsurfFormat } from './windsurf.ts'
import { zedFormat } from './zed.ts'

/** The formats in which servers stand. */
export const writableFormats: readonly WritableFormat[] = [
  mcpJsonFormat,
  claudeCodeFormat,
  claudeDesktopFormat,
  vscodeFormat,
  cursorFormat,
  codexFormat,
  geminiCliFormat,
  windsurfFormat,
  opencodeFormat,
  zedFormat,
  clineFormat,
  junieFormat,
  copilotCliFormat,
]

/** Every format that is read. */
export const formats: readonly ClientFormat[] = [
  ...writableFormats,
  claudeSettingsFormat,
  cursorPermissionsFormat,
  copilotSettingsFormat,
  registryFormat,
]

/** Reads a text as its format wants it. */
export function readDocument({ syntax }: ClientFormat, file: string, text: string): Document {
  return syntax === 'toml' ? readToml(file, text) : readJson(file, text)
}

/** Puts a server into a text, or takes it out; nothing else of the text changes. */
export function writeServer(
  format: WritableFormat,
  document: Document,
  name: string,
  entry: ServerEntry | undefined,
): string {
  const [problem] = document.problems
  if (problem !== undefined) {
    throw new Error(`Cannot edit "${document.file}": line ${problem.line} ${problem.problem}; ${problem.fix}`)
  }
  const value = entry && format.write(entry)
  if (entry !== undefined && value === undefined) {
    throw new Error(`Cannot put "${name}" into "${document.file}": it takes programs only, not addresses`)
  }
  return editDocument(format, document.text, [{ path: format.entryPath(document, name), value }])
}

/** Edits a text as its format wants it. */
export function editDocument({ syntax }: ClientFormat, text: string, edits: readonly Edit[]): string {
  return syntax === 'toml' ? editToml(text, edits) : editJson(text, edits)
}

/** The format of a file that a person names, by its name and content; undefined when it is unknown. */
export function guessFormat(file: string, text: string): ClientFormat | undefined {
  const name = basename(file.replaceAll('\\', '/'))
  if (name.endsWith('.toml')) return codexFormat
  const { value } = readJson(file, text)
  const has = (key: string) => valueAt(value, [key]) !== undefined
  if (Array.isArray(valueAt(value, ['packages'])) || Array.isArray(valueAt(value, ['remotes']))) return registryFormat
  if (isTable(valueAt(value, ['servers']))) return vscodeFormat
  if (isTable(valueAt(value, ['context_servers']))) return zedFormat
  if (isTable(valueAt(value, ['mcp'])) && !has('mcpServers')) return opencodeFormat
  if (!isTable(valueAt(value, ['mcpServers']))) return undefined
  return byName[name] ?? byFolder.find(([folder]) => file.includes(folder))?.[1] ?? mcpJsonFormat
}

const byName: { readonly [name: string]: ClientFormat } = {
  '.claude.json': claudeCodeFormat,
  'claude_desktop_config.json': claudeDesktopFormat,
  'mcp_config.json': windsurfFormat,
  'cline_mcp_settings.json': clineFormat,
  'mcp-config.json': copilotCliFormat,
}

const byFolder: readonly (readonly [folder: string, format: ClientFormat])[] = [
  ['.gemini', geminiCliFormat],
  ['.cursor', cursorFormat],
  ['.junie', junieFormat],
  ['.github', copilotCliFormat],
]
