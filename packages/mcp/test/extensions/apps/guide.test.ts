/** The page of the guide, in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from 'playwright-core'
import { weather } from '../../../../../examples/apps/weather.ts'
import { serveHttp } from '../../../src/node.ts'
import { frameOfView, launchBrowser, noBrowser as skip } from '../../fixtures/browser.ts'
import { bundled, site } from './site.ts'

test('apps guide: the view shows the forecast, and its button asks for a new one', { skip }, async () => {
  await using home = await site('app.test', { '/page.js': await bundled('../../../../../examples/apps/page.ts') })
  await using listening = await serveHttp(weather as never, { origins: [home.origin], cors: {} })
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(home.origin)
    await page.evaluate(async (url) => {
      const { showForecast }: typeof import('../../../../../examples/apps/page.ts') = await import('/page.js' as string)
      const frame = document.createElement('iframe')
      document.body.append(frame)
      await showForecast(new URL(url), frame, 'Oslo')
    }, listening.url)
    const view = await frameOfView(page)
    await shows(view, 'Sunny in Oslo')
    await view.evaluate(() => document.querySelector('button')?.click())
    await shows(view, 'Still sunny')
    assert.equal(page.frames().length, 3)
  } finally {
    await browser.close()
    await weather.close()
  }
})

/** Waits for a text in a view. */
async function shows(view: Frame, text: string): Promise<void> {
  await view.waitForFunction((wanted) => document.body.innerText.includes(wanted), text, { polling: 20 })
}
