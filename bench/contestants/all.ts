import type { Contestant } from './contestant.ts'
import { fastmcp } from './fastmcp.ts'
import { mcpLite } from './mcp-lite.ts'
import { officialV1 } from './official-v1.ts'
import { officialV2 } from './official-v2.ts'
import { raw } from './raw.ts'
import { tmcp } from './tmcp.ts'
import { trunkline } from './trunkline.ts'

/** Everyone in the comparison: the limit first, then us, then the peers. */
export const contestants: readonly Contestant[] = [raw, trunkline, officialV2, officialV1, tmcp, mcpLite, fastmcp]
