import { canonicalJson } from '@trunkline/mcp'
import type { Fields } from '@trunkline/mcp/client'
import { type RecordedRequest, recordedRequests } from '../recording/recorded-requests.ts'
import type { WireRecord } from '../recording/wire-line.ts'
import type { Expectation, TestCase } from './test-file.ts'

/** The requests of a recording as tests: each is expected to be answered as it was. */
export function recordedTests(records: readonly WireRecord[]): readonly TestCase[] {
  const tests = recordedRequests(records).flatMap(testOf)
  // a session asks for the same list again and again
  const seen = new Set<string>()
  return tests.filter((test) => {
    const key = canonicalJson(test)
    return !seen.has(key) && seen.add(key)
  })
}

/** Methods that open a session or belong to it alone. */
const ofTheSession =
  /^(?:initialize|server\/discover|ping|logging\/setLevel|subscriptions\/.*|resources\/(?:un)?subscribe|tasks\/.*)$/

function testOf({ method, params, answer }: RecordedRequest): readonly TestCase[] {
  const { _meta, inputResponses, requestState, ...asked } = params
  const expect = expectationOf(answer)
  // a cursor is a word of the server to this client, and a task ends elsewhere
  const isOwn = ofTheSession.test(method) || 'cursor' in asked || 'task' in asked
  return expect === undefined || isOwn ? [] : [{ ...requestOf(method, asked), expect }]
}

function expectationOf(answer: RecordedRequest['answer']): Expectation | undefined {
  const { result, error } = (answer ?? {}) as { readonly result?: Fields; readonly error?: { readonly code: number } }
  if (error !== undefined) return { error: error.code }
  // one that asked for more, or began a task, was not the end of it
  const isWhole = result !== undefined && (result.resultType ?? 'complete') === 'complete'
  return isWhole ? { result } : undefined
}

function requestOf(method: string, { name, uri, arguments: given = {}, ...more }: Fields): TestCase {
  const isPlain = Object.keys(more).length === 0
  if (isPlain && method === 'tools/call') return { call: String(name), arguments: given as Fields }
  if (isPlain && method === 'prompts/get') return { prompt: String(name), arguments: given as Fields }
  if (isPlain && method === 'resources/read') return { read: String(uri) }
  const own = { name, uri, arguments: given, ...more }
  const said = Object.entries(own).filter(
    ([key, value]) => value !== undefined && !(key === 'arguments' && isEmpty(value)),
  )
  return { request: method, arguments: Object.fromEntries(said) }
}

function isEmpty(value: unknown): boolean {
  return Object.keys(value as object).length === 0
}
