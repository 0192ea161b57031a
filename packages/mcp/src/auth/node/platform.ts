import { homedir } from 'node:os'
import { join } from 'node:path'
import { authorities, routes } from '../../network/routes.ts'
import type { Platform } from '../shared/platform.ts'
import { startBrowser } from './browser.ts'
import { listenForCallback } from './callback.ts'
import { nodeFileSecrets } from './file-secrets.ts'
import { pinnedFetch } from './pinned-fetch.ts'

/** The platform of Node. */
export const platform: Platform = {
  fetchBy: (network = {}) => {
    const ways = { find: routes(network), ca: authorities(network) }
    return (outbound) => pinnedFetch(outbound, ways)
  },
  defaultSecrets: () => nodeFileSecrets(defaultFolder()),
  fileSecrets: nodeFileSecrets,
  openBrowser: startBrowser,
  listenForCallback,
}

function defaultFolder(): string {
  const { XDG_CONFIG_HOME, LOCALAPPDATA } = process.env
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_CONFIG_HOME
  return join(base || join(homedir(), '.config'), 'trunkline', 'credentials')
}
