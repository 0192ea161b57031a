import type { ServerHost } from '../../../server/extension.ts'
import { settingsUri } from '../setting-report.ts'
import type { ServerSettings } from './settings.ts'

/** Offers a resource that says what the settings are, and where each came from. */
export function offerSettings({ offers }: ServerHost, settings: ServerSettings): void {
  offers.resource(
    settingsUri,
    {
      name: 'settings',
      description: 'The settings of this server, and where each of them came from',
      mimeType: 'application/json',
    },
    () => JSON.stringify({ settings: settings.explain() }),
  )
}
