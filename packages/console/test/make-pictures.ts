/**
 * Makes the pictures of the console in `docs/images`, in light and in dark: `npm run pictures`. With a folder as its
 * argument it puts PNG files of every screen there instead, in three widths, to look at.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { askToWrite, moreScenes, openWithWork, scenes } from './picture-scenes.ts'

const [folder] = process.argv.slice(2)
const images = fileURLToPath(new URL('../../../docs/images', import.meta.url))
const work = join(tmpdir(), `trunkline-pictures-${process.pid}`)
mkdirSync(folder ?? images, { recursive: true })

await using open = await openWithWork(work, { isForLooking: folder !== undefined })
await askToWrite(open)
const { page, running, browser } = open
const studio = await browser.newPage()
for (const { name, path, height = 860, arrange } of folder === undefined ? scenes : [...scenes, ...moreScenes]) {
  await page.setViewportSize({ width: 1200, height })
  await page.goto(new URL(path, running.host.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await arrange?.(open)
  for (const width of folder === undefined ? [1200] : [1440, 1280, 390]) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (folder === undefined) await writeSmall(page, `console-${name}-${colorScheme}`)
      else await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}
await open.editor.close()
await open.provider[Symbol.asyncDispose]()

/** Writes the screen as WebP, which is a third of PNG; the browser itself makes it. */
async function writeSmall(of: Page, name: string): Promise<void> {
  const png = (await of.screenshot()).toString('base64')
  const address = await studio.evaluate(async (data) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.86)
  }, png)
  writeFileSync(join(images, `${name}.webp`), Buffer.from(address.split(',')[1] ?? '', 'base64'))
}
