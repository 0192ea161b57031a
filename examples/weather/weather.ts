// region server
import { server } from '@trunkline/mcp'
import { z } from 'zod'

export const weather = server({ name: 'weather', version: '1.0.0' }).tool(
  'forecast',
  {
    description: 'Forecast for a city',
    input: z.object({ city: z.string(), days: z.number().int().max(7).default(1) }),
    output: z.object({ city: z.string(), degrees: z.number(), unit: z.enum(['C', 'F']) }),
    annotations: { readOnlyHint: true },
  },
  async ({ city, days }, ctx) => {
    const { unit } = await ctx.elicit('Which unit?', z.object({ unit: z.enum(['C', 'F']) }))
    await ctx.progress(1, days)
    return { city, degrees: unit === 'C' ? 21 : 70, unit }
  },
)
// endregion
