// region server
import { server } from '@trunkline/mcp'
import { apps } from '@trunkline/mcp/apps'
import { z } from 'zod'
import { html } from './view.ts'

const view = 'ui://weather/forecast'

export const weather = server({
  name: 'weather',
  version: '1.0.0',
  extensions: [
    apps({
      views: {
        // the page reaches no origin that is not declared here
        [view]: { html, csp: { resourceDomains: ['https://tiles.example.com'] }, prefersBorder: true },
      },
    }),
  ],
})
  // clients without views show the text
  .tool('forecast', { input: z.object({ city: z.string() }), view }, ({ city }) => `Sunny in ${city}`)
  // for the button in the view, not for a model
  .tool('refresh', { view, visibility: ['app'] }, () => 'Still sunny')
// endregion
