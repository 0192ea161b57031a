// region serve
import { serve } from '@trunkline/mcp'
import { shop } from './shop.ts'

await serve(shop)
// endregion
