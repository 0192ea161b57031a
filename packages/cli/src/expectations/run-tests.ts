import type { Client, Fields } from '@trunkline/mcp/client'
import { McpError, type McpErrorCode, RpcError } from '@trunkline/mcp/client'
import { judge } from './judge.ts'
import type { TestCase } from './test-file.ts'

/** Result of one test. */
export interface TestOutcome {
  readonly name: string
  readonly ms: number
  /** Reason of the failure; missing if it passed. */
  readonly problem?: string
}

/** Results of all tests, and the error that ended them early. */
export interface TestRun {
  readonly outcomes: readonly TestOutcome[]
  readonly lost?: unknown
}

/** Runs tests one after another; when the server is gone, those that are left have failed for that reason. */
export async function runTests(client: Client, tests: readonly TestCase[], signal: AbortSignal): Promise<TestRun> {
  const outcomes: TestOutcome[] = []
  try {
    for (const test of tests) outcomes.push(await runTest(client, test, signal))
    return { outcomes }
  } catch (error) {
    signal.throwIfAborted()
    const problem = error instanceof Error ? error.message : String(error)
    const [first, ...rest] = tests.slice(outcomes.length).map(nameOf)
    const left = rest.map((name) => ({ name, ms: 0, problem: 'not run: the server is gone' }))
    return { outcomes: [...outcomes, { name: first ?? '', ms: 0, problem }, ...left], lost: error }
  }
}

/** Makes the request of a test and judges the answer. */
async function runTest(client: Client, test: TestCase, signal: AbortSignal): Promise<TestOutcome> {
  const begun = performance.now()
  const problem = await problemOf(client, test, signal)
  const ms = Math.round(performance.now() - begun)
  return { name: nameOf(test), ms, ...(problem !== undefined && { problem }) }
}

async function problemOf(client: Client, test: TestCase, signal: AbortSignal): Promise<string | undefined> {
  const { expect = {} } = test
  const { method, params } = requestOf(test)
  try {
    return judge(await client.request(method, params, { signal }), expect)
  } catch (error) {
    if (error instanceof McpError && ofOneTest.has(error.code)) return error.message
    if (!(error instanceof RpcError)) throw error
    return error.code === expect.error ? undefined : `the server answered with error ${error.code}: ${error.message}`
  }
}

/** Errors of one answer or offer, after which the connection goes on. */
const ofOneTest: ReadonlySet<McpErrorCode> = new Set(['Unsupported', 'InvalidResponse', 'Timeout', 'TooLarge'])

function requestOf({ call, read, prompt, request, arguments: given = {} }: TestCase): {
  method: string
  params: Fields
} {
  if (call !== undefined) return { method: 'tools/call', params: { name: call, arguments: given } }
  if (read !== undefined) return { method: 'resources/read', params: { uri: read } }
  if (prompt !== undefined) return { method: 'prompts/get', params: { name: prompt, arguments: given } }
  return { method: request ?? '', params: given }
}

function nameOf({ name, call, read, prompt, request }: TestCase): string {
  if (name !== undefined) return name
  if (call !== undefined) return `call ${call}`
  if (read !== undefined) return `read ${read}`
  return prompt === undefined ? `request ${request}` : `prompt ${prompt}`
}
