/** Serves the zoo over standard input and output. */
import { serve } from '@trunkline/mcp'
import { watchUncaught, zoo } from './zoo.ts'

await serve(zoo(watchUncaught()))
