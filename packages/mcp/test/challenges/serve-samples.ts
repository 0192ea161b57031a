import { serve } from '@trunkline/mcp'
import { samplesServer } from './samples-server.ts'

await serve(samplesServer())
