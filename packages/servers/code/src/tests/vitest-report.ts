import { shortMessage, type TestResult } from './test-report.ts'

interface VitestReport {
  readonly testResults?: readonly VitestFile[]
}

interface VitestFile {
  readonly name: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly VitestTest[]
}

interface VitestTest {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
  readonly failureMessages?: readonly string[] | null
  readonly location?: { readonly line: number } | null
}

const failedOutside =
  'It failed outside of its tests, such as in a hook; vitest does not report why: run it in a terminal'

/** Reads the report of `vitest run --reporter=json`; a file that failed without a failed test counts as one. */
export function readVitestReport(report: string): readonly TestResult[] {
  const { testResults = [] } = JSON.parse(report) as VitestReport
  return testResults.flatMap((file): TestResult[] => {
    const { name: path, status, message, assertionResults } = file
    const results = assertionResults.map((test) => resultOf(test, path))
    if (status !== 'failed' || results.some(({ state }) => state === 'failed')) return results
    return [{ name: path, state: 'failed', path, message: shortMessage(message || failedOutside) }, ...results]
  })
}

function resultOf({ ancestorTitles, title, status, failureMessages, location }: VitestTest, path: string): TestResult {
  // several where a test goes on after a failure
  const message = failureMessages?.join('\n') || undefined
  return {
    name: [...ancestorTitles, title].join(' > '),
    state: status === 'passed' || status === 'failed' ? status : 'skipped',
    path,
    ...(location && { line: location.line }),
    ...(message !== undefined && { message: shortMessage(message) }),
  }
}
