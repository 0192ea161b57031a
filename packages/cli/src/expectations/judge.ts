import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '@trunkline/mcp/client'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import { isFields } from '../arguments/describe-arguments.ts'
import { visibleJson } from '../output/json.ts'
import { differenceFrom } from './difference.ts'
import type { Expectation } from './test-file.ts'

/** Reason why an answer is not the expected one; undefined if it is. */
export function judge(result: Fields, expected: Expectation): string | undefined {
  const { text, contains, structured, isError, error, schema, result: whole } = expected
  const said = textOf(result)
  if (error !== undefined) return `the server answered, and error ${error} was expected`
  // a whole result says itself whether it failed
  if ((result.isError === true) !== (isError ?? whole?.isError === true))
    return result.isError === true ? `the tool failed: ${said}` : 'the tool did not fail'
  if (text !== undefined && said !== text) return `the text is ${visibleJson(said)}, not ${visibleJson(text)}`
  if (contains !== undefined && !said.includes(contains))
    return `${visibleJson(contains)} is not in ${visibleJson(said)}`
  if (structured !== undefined && !includes(result.structuredContent, structured))
    return `the structured content is ${visibleJson(result.structuredContent)}, not ${visibleJson(structured)}`
  const problems = schema === undefined ? [] : compile(schema)(result)
  if (problems.length > 0) return describeProblems(problems)
  return whole === undefined ? undefined : differenceFrom(whole, result)
}

/** All text of a result, of whichever request. */
function textOf({ content, contents, messages }: Fields): string {
  const blocks = [content, contents, messages].filter(Array.isArray).flat()
  return blocks.map((block) => (isFields(block.content) ? block.content.text : block.text) ?? '').join('\n')
}

/** True if a value has at least all members of another. */
function includes(value: unknown, wanted: unknown): boolean {
  if (!isFields(wanted)) return isDeepStrictEqual(value, wanted)
  return isFields(value) && Object.entries(wanted).every(([name, member]) => includes(value[name], member))
}
