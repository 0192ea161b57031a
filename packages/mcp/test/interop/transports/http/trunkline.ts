import { serveHttp } from '@trunkline/mcp/node'
import { tracked } from '../../../no-leaks.ts'
import { trunklineCafe } from '../../servers/trunkline.ts'
import type { Hosted } from './listen.ts'

/** This library, in every revision at one address, and the addresses of the oldest transport beside it. */
export function hostTrunkline(): Promise<Hosted> {
  return serveHttp(tracked(trunklineCafe()), { sse: true })
}
