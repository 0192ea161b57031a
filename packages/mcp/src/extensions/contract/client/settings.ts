import type { ClientHost } from '../../../client/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { type SettingReport, settingsUri } from '../setting-report.ts'

/** Reads what the settings of a server are, and where each came from. */
export async function readSettings(host: ClientHost): Promise<readonly SettingReport[]> {
  const { contents } = await host.request('resources/read', { uri: settingsUri })
  const [first] = contents as readonly Fields[]
  const read = parsed(String(first?.text))
  if (isObject(read) && Array.isArray(read.settings) && read.settings.every(isReport)) return read.settings
  throw new McpError('InvalidResponse', 'Cannot read the settings of the server: it sent something else', {
    outcome: 'Unknown',
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isReport = (value: unknown): value is SettingReport => isObject(value) && typeof value.name === 'string'
