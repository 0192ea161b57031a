import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { defineCommand, type Invocation } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import type { TestOutcome } from '../expectations/run-tests.ts'
import type { TestFile } from '../expectations/test-file.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline test`: saved requests, with what is expected of their answers. */
export const testCommand = defineCommand({
  name: 'test',
  group: 'authors',
  summary: 'Sends the requests in a file, and checks the answers',
  usage: ['FILE [SERVER]', 'FILE -- PROGRAM [ARGUMENT…]'],
  details: [
    'The file is JSON: { "server": { "command", "args" } or { "url" }, "tests": [{ "name", "call": "add", "arguments": { "a": 1 }, "expect": { "text": "2" } }] }. Instead of "call" a test may have "read" with a URI, "prompt" or "request" with a method.',
    '"expect" can hold the "text" of the answer, a part of it ("contains"), "structured" members, "isError", the code of an "error", or a "schema". Without "expect" the answer must not be an error. The exit code is 2 when a test fails.',
  ],
  options: {
    junit: { type: 'string', value: 'FILE', summary: 'Write a JUnit XML report to this file' },
    ...serverOptions,
  },
  json: '`{ tests: […], passed, failed }`',
  examples: [
    { line: 'trunkline test calls.json', shows: 'the server that the file names' },
    { line: 'trunkline test calls.json --junit report.xml -- node server.js', shows: 'another one, with a report' },
  ],
  async run(invocation) {
    const {
      words: [path, ...words],
      options,
      output,
      signal,
    } = invocation
    if (path === undefined) throw usageFailure('Cannot test: no file is named')
    const { readTestFile } = await import('../expectations/test-file.ts')
    const { runTest } = await import('../expectations/run-tests.ts')
    const file = await readTestFile(path)
    await using server = await openServer(onServerOf(file, path, { ...invocation, words }))
    const outcomes: TestOutcome[] = []
    for (const test of file.tests) outcomes.push(await runTest(server.client, test, signal))
    if (options.junit !== undefined) {
      const { junitReport } = await import('../expectations/junit.ts')
      await writeFile(options.junit, junitReport(path, outcomes))
    }
    const failed = outcomes.filter(({ problem }) => problem !== undefined).length
    output.result({ tests: outcomes, passed: outcomes.length - failed, failed }, () => outcomes.map(outcomeLine))
    if (failed === 0) return undefined
    throw new Failure(`${failed} of ${outcomes.length} tests failed`, {
      code: 'TestsFailed',
      exit: exitCodes.toolError,
    })
  },
})

type TestInvocation = Invocation<typeof serverOptions>

/** The command line that names the server of the file, unless it names one itself. */
function onServerOf({ server }: TestFile, path: string, invocation: TestInvocation): TestInvocation {
  if (invocation.words.length > 0 || invocation.program !== undefined || server === undefined) return invocation
  const { url, command, args = [], env = {}, cwd } = server
  if (url !== undefined) return { ...invocation, words: [url] }
  if (command === undefined) throw usageFailure(`Cannot use "${path}": server needs a url or a command`)
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const options = {
    ...invocation.options,
    env: [...variables, ...(invocation.options.env ?? [])],
    // what stands in a file is meant from where the file is
    cwd: invocation.options.cwd ?? resolve(dirname(path), cwd ?? '.'),
  }
  return { ...invocation, options, program: [command, ...args] }
}

function outcomeLine({ name, ms, problem }: TestOutcome): Line {
  if (problem === undefined) return [styled('good', 'ok  '), ` ${name}`, styled('faint', ` ${ms} ms`)]
  return [styled('bad', 'FAIL'), ` ${name}: ${problem}`]
}
