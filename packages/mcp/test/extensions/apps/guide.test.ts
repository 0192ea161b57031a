/** The page of the guide, in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weather } from '../../../../../examples/apps/weather.ts'
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
    const view = page.frameLocator('iframe').frameLocator('iframe')
    await view.getByText('Sunny in Oslo').waitFor()
    await view.getByRole('button').click()
    await view.getByText('Still sunny').waitFor()
    assert.equal(page.frames().length, 3)
  } finally {
    await browser.close()
    await weather.close()
  }
})
