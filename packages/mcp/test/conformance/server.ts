/** A server with everything that the official conformance suite asks for, at every revision; listens on `PORT`, or with `--stdio` on its input. Started in the root of the repository. */
import { serve, server } from '@trunkline/mcp'
import { skills } from '@trunkline/mcp/skills'
import { tasks } from '@trunkline/mcp/tasks'
import { offerChanges } from './server/changes.ts'
import { offerContent } from './server/content.ts'
import { offerForms } from './server/forms.ts'
import { offerInput } from './server/input.ts'
import { offerPrompts } from './server/prompts.ts'
import { offerReports } from './server/reports.ts'
import { offerResources } from './server/resources.ts'
import { offerSchemas } from './server/schemas.ts'
import { offerTasks } from './server/tasks.ts'

const everything = server({
  name: 'conformance',
  version: '1.0.0',
  instructions: 'Call whichever tool is named after what you want to see.',
  cache: { ttlMs: 60_000, scope: 'public' },
  extensions: [tasks(), skills('packages/mcp/test/conformance/server/skills')],
})

offerContent(everything)
offerReports(everything)
offerForms(everything)
offerInput(everything)
offerSchemas(everything)
offerResources(everything)
offerPrompts(everything)
offerChanges(everything)
offerTasks(everything)

if (process.argv.includes('--stdio')) await serve(everything)
else {
  const { url } = await serve(everything, { http: process.env.PORT ?? 3_000 })
  console.log(`Serving MCP at ${url}`)
}
