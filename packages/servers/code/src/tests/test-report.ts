/** State of one test. */
export type TestState = 'passed' | 'failed' | 'skipped'

/** Result of one test. */
export interface TestResult {
  readonly name: string
  readonly state: TestState
  /** Absolute, or from the folder of the project. */
  readonly path?: string
  readonly line?: number
  readonly message?: string
}

/** Lines of a message that are kept. */
const maxMessageLines = 10
/** Characters of a message that are kept. */
const maxMessageChars = 800

/** Lines of a stack trace that lie in a test runner, another package or Node itself. */
const foreignFrame = /^\s+at .*(?:node_modules[\\/]|node:internal\/|<anonymous>)/

/** The first lines of a message, without those of its stack trace that lead out of the project. */
export function shortMessage(text: string): string {
  const [first = '', ...others] = text.trim().split('\n')
  const lines = [first, ...others.filter((line) => !foreignFrame.test(line))]
  const shown = lines.slice(0, maxMessageLines).join('\n')
  return shown.length > maxMessageChars ? `${shown.slice(0, maxMessageChars)}…` : shown
}

/** True if the name of a test contains a text; the texts of suites and tests may be separated as results show them, or not. */
export function hasName({ name }: TestResult, text: string): boolean {
  return spaced(name).includes(spaced(text))
}

/** A name of a test with its suites, separated by spaces. */
export function spaced(name: string): string {
  return name.replaceAll(' > ', ' ')
}
