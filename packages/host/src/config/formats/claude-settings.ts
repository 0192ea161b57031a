import { type ClientFormat, type FoundRule, together } from './format.ts'
import { TableReader } from './table-reader.ts'

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
