/** Serves in every revision, or in those that are named as arguments. */
import { serve } from '@trunkline/mcp'
import { trunklineCafe } from '../../servers/trunkline.ts'

const [, , ...revisions] = process.argv
await serve(trunklineCafe(revisions))
