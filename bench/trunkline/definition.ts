import { type ServerExtension, type ServerOptions, server } from '@trunkline/mcp'
import { z } from 'zod'
import { steps, toolNames, withSteps } from '../program/setting.ts'

const input = z.object({ text: z.string() })
const description = 'Repeats its text'

/** The one definition every transport serves. */
export const definition = defined([])

/** The definition with extensions enabled that its tools do not use, and with more options. */
export function defined(extensions: readonly ServerExtension[], more: Pick<ServerOptions, 'keys'> = {}) {
  const own = server({ name: 'trunkline', version: '1.0.0', extensions, ...more }).tool(
    'echo',
    { description, input },
    echo,
  )
  for (const name of toolNames.slice(1)) own.tool(name, { description, input }, echo)
  if (withSteps) {
    own.tool('steps', { description, input }, async ({ text }, ctx) => {
      for (const progress of steps) await ctx.progress(progress, steps.length)
      return text
    })
  }
  return own
}

function echo({ text }: z.infer<typeof input>): string {
  return text
}
