import { FastMCP } from 'fastmcp'
import { z } from 'zod'
import { port, steps, toolNames, withSteps } from '../../program/setting.ts'

const parameters = z.object({ text: z.string() })
const description = 'Repeats its text'
const definition = new FastMCP({ name: 'fastmcp', version: '1.0.0' })

for (const name of toolNames) definition.addTool({ name, description, parameters, execute: async ({ text }) => text })
if (withSteps)
  definition.addTool({
    name: 'steps',
    description,
    parameters,
    execute: async ({ text }, { reportProgress }) => {
      for (const progress of steps) await reportProgress({ progress, total: steps.length })
      return text
    },
  })

/** Serves over HTTP, with or without sessions. */
export function serveHttp(options: { readonly stateless: boolean }): Promise<void> {
  const httpStream = { ...options, port, host: '127.0.0.1', enableJsonResponse: !withSteps }
  return definition.start({ transportType: 'httpStream', httpStream })
}

/** Serves over stdio. */
export function serveStdio(): Promise<void> {
  return definition.start({ transportType: 'stdio' })
}
