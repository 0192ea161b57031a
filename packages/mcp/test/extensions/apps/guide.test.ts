/** The page of the guide, in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { weather } from '../../../../../examples/apps/weather.ts'
import { until } from '../../../../../tools/lib/until.ts'
import { serveHttp } from '../../../src/node.ts'
import { launchBrowser, noBrowser as skip } from '../../fixtures/browser.ts'
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
    const view = await frameInFrame(page)
    await shows(view, 'Sunny in Oslo')
    await view.evaluate(() => document.querySelector('button')?.click())
    await shows(view, 'Still sunny')
    assert.equal(page.frames().length, 3)
  } finally {
    await browser.close()
    await weather.close()
  }
})

/** The frame of the view. */
async function frameInFrame(page: Page): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame())
  await until(() => find() !== undefined, 'the frame of the view')
  return find() ?? assert.fail()
}

/**
 * Waits for a text. The frame is asked itself, and not by a locator: those look in a world of their own, of which
 * Playwright at times never hears when a frame gets a process of its own while it loads.
 */
async function shows(view: Frame, text: string): Promise<void> {
  await view.waitForFunction((wanted) => document.body?.innerText.includes(wanted), text, { polling: 20 })
}
