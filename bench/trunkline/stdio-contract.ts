import { serve } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { defined } from './definition.ts'

await serve(defined([contract()]))
