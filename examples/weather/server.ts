// region serve
import { serve } from '@trunkline/mcp'
import { weather } from './weather.ts'

await serve(weather)
// endregion
