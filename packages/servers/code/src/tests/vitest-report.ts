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

/** Reads the report of `vitest run --reporter=json`; a file that could not be loaded counts as a failed test. */
export function readVitestReport(report: string): readonly TestResult[] {
  const { testResults = [] } = JSON.parse(report) as VitestReport
  return testResults.flatMap((file): TestResult[] => {
    if (file.assertionResults.length === 0 && file.status === 'failed') {
      return [{ name: file.name, state: 'failed', path: file.name, message: shortMessage(file.message ?? '') }]
    }
    return file.assertionResults.map((test) => resultOf(test, file.name))
  })
}

function resultOf({ ancestorTitles, title, status, failureMessages, location }: VitestTest, path: string): TestResult {
  const [message] = failureMessages ?? []
  return {
    name: [...ancestorTitles, title].join(' > '),
    state: status === 'passed' || status === 'failed' ? status : 'skipped',
    path,
    ...(location && { line: location.line }),
    ...(message !== undefined && { message: shortMessage(message) }),
  }
}
