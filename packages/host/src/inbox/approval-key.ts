import { createHash } from 'node:crypto'
import { canonicalJson, type Fields } from '@trunkline/mcp'
import type { ServerName } from '../act/server-name.ts'

/** Everything an approval is bound to; when any of it differs, it is another question. */
export interface ApprovedCall {
  readonly principalId: string
  readonly project: string | undefined
  readonly server: ServerName
  /** The hash of the command or address that was accepted for the server. */
  readonly command: string
  readonly target: string
  readonly definition: string | undefined
  readonly arguments: Fields
  readonly policyVersion: string
  /** Sources its principal had read that could leave with it. */
  readonly tainted?: readonly string[]
}

/** The key that equal calls share: an approval is for this and nothing else. */
export function approvalKey(call: ApprovedCall): string {
  return createHash('sha256').update(canonicalJson(call)).digest('base64url')
}
