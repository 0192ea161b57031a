import { serve } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { port } from '../program/setting.ts'
import { defined } from './definition.ts'

await serve(defined([contract()]), { http: port })
