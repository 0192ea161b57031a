import { shortMessage, type TestResult } from './test-report.ts'

// one line of JSON per test; a suite that only fails because of a test in it is no failure of its own
const reporter = `export default async function* (events) {
  const names = []
  for await (const { type, data } of events) {
    if (type === 'test:start') { names.length = data.nesting; names.push(data.name) }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details = {}, nesting, file, line, skip, todo } = data
    const error = details.error
    if (details.type === 'suite' ? !error || error.failureType === 'subtestsFailed' : error?.failureType === 'subtestsFailed') continue
    // a file in which no test was chosen is reported as one
    if (type === 'test:pass' && file && line === 1 && file.endsWith(data.name.replace(/^\\.\\//, ''))) continue
    const name = [...names.slice(0, nesting), data.name].join(' > ')
    const state = skip !== undefined || todo !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed'
    const cause = error?.cause
    const message = error && String(cause?.stack ?? cause?.message ?? cause ?? error.message)
    yield JSON.stringify({ name, state, path: file, line, message }) + '\\n'
  }
}`

/** The reporter that is passed to `node --test`; it needs no file. */
export const nodeReporter = `data:text/javascript,${encodeURIComponent(reporter)}`

/** Reads the lines that {@link nodeReporter} writes; others are output of tests. */
export function readNodeReport(report: string): readonly TestResult[] {
  return report.split('\n').flatMap((line) => readLine(line))
}

function readLine(text: string): TestResult[] {
  if (!text.startsWith('{"name":')) return []
  try {
    const { name, state, path, line, message } = JSON.parse(text) as TestResult
    return [
      {
        ...{ name: `${name}`, state },
        ...(path !== undefined && { path }),
        ...(line !== undefined && { line }),
        ...(message !== undefined && { message: shortMessage(`${message}`) }),
      },
    ]
  } catch {
    return []
  }
}
