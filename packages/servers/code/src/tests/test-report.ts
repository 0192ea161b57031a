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

/** The first lines of a message. */
export function shortMessage(text: string): string {
  const lines = text.trim().split('\n')
  const shown = lines.slice(0, maxMessageLines).join('\n')
  return shown.length > maxMessageChars ? `${shown.slice(0, maxMessageChars)}…` : shown
}
