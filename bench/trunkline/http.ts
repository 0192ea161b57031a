import { serve } from '@trunkline/mcp'
import { port } from '../program/setting.ts'
import { definition } from './definition.ts'

await serve(definition, { http: port })
