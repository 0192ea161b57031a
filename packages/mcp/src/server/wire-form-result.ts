import type { ContentBlock, Meta } from '../model/types.ts'
import type { Adapted } from '../schema/adapter.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { type Returning, refuseResult } from './bad-result.ts'
import { isContent, isOfContentType } from './content.ts'
import { Reply } from './tool-reply.ts'

/** A tool whose handler has returned. */
export interface ReturningTool extends Returning {
  readonly output: Adapted | undefined
}

const members: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta'])

/**
 * The reply that an object means which is spelled as a result on the wire, as other SDKs want it. Nothing for an
 * object that is a value; what is neither is refused, for it would pass for a success.
 */
export function replyFromWireForm(value: unknown, tool: ReturningTool): Reply | undefined {
  if (!isObject(value)) return undefined
  const { content, structuredContent, isError } = value
  if (content === undefined && structuredContent === undefined && isError !== true) return undefined
  return describes(tool, value) ? undefined : understood(value, tool)
}

function understood(value: Fields, tool: ReturningTool): Reply | undefined {
  const { content, structuredContent, isError, _meta } = value
  const isResult = isError === true || structuredContent !== undefined
  const stranger = Object.keys(value).find((name) => !members.has(name))
  if (stranger !== undefined)
    return isError === true ? refuse(tool, `"${stranger}" is not part of a result`) : undefined
  if (!isContentList(content, isResult, tool)) return undefined
  return new Reply(content, {
    structured: structuredContent,
    isError: isError === true,
    ...(isObject(_meta) && { meta: _meta as Meta }),
  })
}

/** True if a list is content; refuses a list that should be content. */
function isContentList(
  content: unknown = [],
  isResult: boolean,
  tool: ReturningTool,
): content is readonly ContentBlock[] {
  if (!Array.isArray(content)) return isResult && refuse(tool, '"content" is not a list; write { content: [text(…)] }')
  const wrong = content.findIndex((block) => !isContent(block))
  if (wrong < 0) return true
  return (isResult || content.some(isOfContentType)) && refuse(tool, `content[${wrong}] is not content`)
}

/** True if the output schema itself has these members, so that they are part of the value. */
function describes({ output }: ReturningTool, value: Fields): boolean {
  const json = output?.output()
  if (json === undefined || json instanceof Promise || !isObject(json.properties)) return false
  const { properties } = json
  return Object.keys(value).some((name) => members.has(name) && Object.hasOwn(properties, name))
}

function refuse(tool: ReturningTool, problem: string): never {
  return refuseResult(
    tool,
    `what looks like a result but is not valid: ${problem}. Return reply(content, { isError, structured }), or throw an Error`,
  )
}
