import { McpError } from '@trunkline/mcp'
import { nearName } from '@trunkline/mcp/json-schema'

export interface ChatLimits {
  /** Requests to the model for one message of the person. @default 25 */
  readonly maxSteps?: number
  /** Calls that run at the same time. @default 8 */
  readonly maxCallsAtOnce?: number
  /** Calls of one answer that are made. @default 64 */
  readonly maxCallsPerAnswer?: number
  /** Tools in a request to the model. @default 128 */
  readonly maxTools?: number
  /** Characters of the instructions of all servers together; a quarter of the context at most. @default 20_000 */
  readonly maxInstructionChars?: number
  /** Characters of the list of skills; a quarter of the context at most. @default 20_000 */
  readonly maxSkillChars?: number
  /** Characters of one result that are kept. @default 200_000 */
  readonly maxResultChars?: number
  /** Time that a call may wait for a person, in milliseconds. @default 960_000 */
  readonly maxWaitMs?: number
}

/** Default limits. */
export const chatLimits = {
  maxSteps: 25,
  maxCallsAtOnce: 8,
  maxCallsPerAnswer: 64,
  maxTools: 128,
  maxInstructionChars: 20_000,
  maxSkillChars: 20_000,
  maxResultChars: 200_000,
  maxWaitMs: 960_000,
} as const satisfies ChatLimits

/** All limits of a conversation; a name that none has is an error. */
export function resolveChatLimits(given: ChatLimits = {}): Required<ChatLimits> {
  const names = Object.keys(chatLimits)
  const stray = Object.keys(given).find((name) => !names.includes(name))
  if (stray === undefined) return { ...chatLimits, ...given }
  const near = nearName(stray, names)
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  throw new McpError('Misuse', `Cannot converse: there is no option "limits.${stray}"${guess}`)
}
