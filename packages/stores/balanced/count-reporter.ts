/** A reporter of tests that prints how many passed, as the last line. */
import type { TestEvent } from 'node:test/reporters'

// biome-ignore lint/style/noDefaultExport: Node takes a reporter by that
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { details, skip } = event.data
    if (details.type === 'suite') continue
    if (skip !== undefined && skip !== false) counts.skipped += 1
    else if (event.type === 'test:pass') counts.passed += 1
    else counts.failed += 1
  }
  yield `${counts.passed} requirements passed, ${counts.failed} failed, ${counts.skipped} skipped\n`
}
