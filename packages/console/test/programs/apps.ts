/** A server whose tools have apps: one made with the official library, and some that try to get out of their frame. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve, server } from '@trunkline/mcp'
import { apps } from '@trunkline/mcp/apps'
import { z } from 'zod'

const { VIEWS: folder = '', EVIL: evil = '' } = process.env
const html = (name: string) => readFileSync(join(folder, `${name}.html`), 'utf8')
const viewOf = (name: string) => `ui://shop/${name}`
const hostile = ['hostile', 'leaver', 'framer', 'flooder', 'busy', 'crowd'] as const

const shop = server({
  name: 'shop',
  version: '1.0.0',
  extensions: [
    apps({
      views: {
        [viewOf('official')]: { html: html('official') },
        [viewOf('declaring')]: {
          html: html('declaring'),
          csp: { connectDomains: [evil] },
          permissions: { camera: {} },
        },
        ...Object.fromEntries(hostile.map((name) => [viewOf(name), { html: html(name) }])),
      },
    }),
  ],
})
  .tool('cart', { input: z.object({ who: z.string() }), view: viewOf('official') }, ({ who }) => ({
    content: [{ type: 'text' as const, text: `two apples for ${who}` }],
    structuredContent: { apples: 2 },
  }))
  .tool('declaring', { view: viewOf('declaring') }, () => 'declared')
  .tool('refresh', { visibility: ['app'], input: z.object({ what: z.string() }) }, ({ what }) => `fresh ${what}`)
  .tool('refund', { visibility: ['model'] }, () => 'paid back')

for (const name of hostile) shop.tool(name, { view: viewOf(name) }, () => name)

await serve(shop)
