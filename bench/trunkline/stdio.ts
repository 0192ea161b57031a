import { serve } from '@trunkline/mcp'
import { definition } from './definition.ts'

await serve(definition)
