import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '../shared/platform.ts'
import { openBrowser } from './browser.ts'
import { listenForCallback } from './callback.ts'
import { fileSecrets } from './file-secrets.ts'
import { carry } from './pinned-fetch.ts'

/** What signing in needs of the system, on Node. */
export const platform: Platform = {
  carry: (outbound) => carry(outbound),
  defaultSecrets: () => fileSecrets(defaultFolder()),
  fileSecrets,
  openBrowser,
  listenForCallback,
}

function defaultFolder(): string {
  const { XDG_CONFIG_HOME, LOCALAPPDATA } = process.env
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_CONFIG_HOME
  return join(base || join(homedir(), '.config'), 'trunkline', 'credentials')
}
