import type { CallToolResult } from '../model/types.ts'
import type { Adapted, Checked } from '../schema/adapter.ts'
import { isJson } from '../schema/json-value.ts'
import { describeProblems } from '../schema/problems.ts'
import type { Fields } from '../wire/messages.ts'
import { jsonOf, refuseResult } from './bad-result.ts'
import { blocksOf, checkBlocks, text } from './content.ts'
import { Reply } from './tool-reply.ts'
import { type ReturningTool, replyFromWireForm } from './wire-form-result.ts'

type Result = CallToolResult & Fields

/** The result of a tool call from what its handler returned, converted and checked. */
export function toolResult(value: unknown, tool: ReturningTool): Promise<Result> | Result {
  const { output } = tool
  // the fast path of tools without an output schema
  if (typeof value === 'string' && !output) return { content: [text(value)] }
  const spelled = value instanceof Reply ? value : replyFromWireForm(value, tool)
  if (spelled) return fromReply(spelled, tool)
  if (output) return value === undefined ? refuseResult(tool, lacksAll) : structured(value, output, tool)
  const blocks = blocksOf(value)
  if (blocks) return { content: checkBlocks(blocks, tool) }
  return mirrored(jsonOf(value, tool))
}

/** Structured content, repeated as text for older clients. */
function mirrored(value: unknown): Result {
  return { content: [text(JSON.stringify(value))], structuredContent: value }
}

function fromReply({ content, options }: Reply, tool: ReturningTool): Promise<Result> | Result {
  const { structured: value, isError, meta } = options
  const finish = (result: Result): Result => ({
    ...result,
    ...(content.length > 0 && { content: checkBlocks(content, tool) }),
    ...(isError && { isError }),
    ...(meta && { _meta: jsonOf(meta, tool) as Fields }),
  })
  if (value === undefined) {
    if (tool.output && isError !== true) refuseResult(tool, lacksValue)
    return finish({ content })
  }
  const checked = tool.output && isError !== true ? structured(value, tool.output, tool) : mirrored(jsonOf(value, tool))
  return checked instanceof Promise ? checked.then(finish) : finish(checked)
}

const lacksAll = 'nothing, but it has an output schema: return the value'
const lacksValue =
  'content alone, but it has an output schema: return the value, or reply(content, { structured: value })'

/** Checks structured content with the output schema, which may strip members and add defaults. */
function structured(value: unknown, output: Adapted, tool: ReturningTool): Promise<Result> | Result {
  const first = output.check(value)
  if (!(first instanceof Promise) && first.ok && isJson(first.value)) return mirrored(first.value)
  const judged = (checked: Checked): Promise<Result> | Result => {
    if (checked.ok && !output.isJsonSchema) return mirrored(jsonOf(checked.value, tool))
    return isJson(value) ? judge(checked, tool) : converted(value, output, tool)
  }
  return first instanceof Promise ? first.then(judged) : judged(first)
}

/** Checks a value again in its JSON form. */
function converted(value: unknown, output: Adapted, tool: ReturningTool): Promise<Result> | Result {
  const checked = output.check(jsonOf(value, tool))
  return checked instanceof Promise ? checked.then((late) => judge(late, tool)) : judge(checked, tool)
}

function judge(checked: Checked, tool: ReturningTool): Result {
  if (checked.ok) return mirrored(jsonOf(checked.value, tool))
  return refuseResult(tool, `what its output schema does not allow: ${describeProblems(checked.problems)}`)
}
