/** A reporter for `node:test` whose lines another process reads; see readReport. */
import { readFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Line, TestRecord } from './records.ts'

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // tests end in the order in which they are written, each behind the suites around it
  const path: string[] = []
  for await (const event of events) {
    if (event.type === 'test:start') path.splice(event.data.nesting, path.length, event.data.name)
    const line = lineOf(event, path)
    if (line !== undefined) yield `${JSON.stringify(line)}\n`
  }
}

function lineOf(event: TestEvent, path: readonly string[]): Line | undefined {
  switch (event.type) {
    case 'test:dequeue':
      return { is: 'begun', ...namedIn(event.data) }
    case 'test:complete':
      return { is: 'over', ...namedIn(event.data) }
    case 'test:pass':
    case 'test:fail':
      return { is: 'record', record: recordOf(event, path) }
    case 'test:summary':
      return { is: 'finished', cpuMs: cpuMs() }
    default:
      return undefined
  }
}

function namedIn({ testId, name }: { testId: number; name: string }): { id: number; name: string } {
  return { id: testId, name }
}

function recordOf({ type, data }: Ended, path: readonly string[]): TestRecord {
  const { name, nesting, details, skip, file, line, column } = data
  const isSkipped = skip !== undefined && skip !== false
  const error = type === 'test:fail' ? errorIn(data.details.error) : undefined
  return {
    path: [...path.slice(0, nesting), name],
    kind: details.type === 'suite' ? 'suite' : 'test',
    ms: details.duration_ms,
    outcome: type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed',
    ...(isSkipped && { reason: typeof skip === 'string' && skip !== '' ? skip : 'no reason is given' }),
    ...(error !== undefined && { error }),
    ...(file !== undefined && { at: `${file}:${line}:${column}` }),
  }
}

/** Error of a test, without the wrapping that only says that it failed. */
function errorIn(error: Error & { failureType?: string }): string | undefined {
  return error.failureType === 'subtestsFailed' ? undefined : inspect(error.cause ?? error, { depth: 8 })
}

/** Processor time of this process; on Linux also of the programs that it started and waited for. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + startedMs()
}

function startedMs(): number {
  if (process.platform !== 'linux') return 0
  // proc(5): behind the name in parentheses, the 14th and 15th field, in ticks of 10 ms
  const [, fields = ''] = /\) (.*)$/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number)
  return (user + system) * 10
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter from nowhere else
export { report as default }
