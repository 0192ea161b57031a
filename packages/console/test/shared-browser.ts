import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../mcp/test/fixtures/browser.ts'

let launched: Promise<Browser> | undefined

/** The one browser of all tests of this process: each console has a context of its own in it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}

after(async () => (await launched)?.close())
