import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ClientExtension } from '@trunkline/mcp/client'
import { defineCommand, type Invocation } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import type { TestOutcome } from '../expectations/run-tests.ts'
import type { TestFile } from '../expectations/test-file.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline test`: saved requests, with what is expected of their answers. */
export const testCommand = defineCommand({
  name: 'test',
  group: 'authors',
  needs: 'nothing',
  summary: 'Sends the requests in a file, and checks the answers',
  usage: ['FILE [SERVER]', 'FILE -- PROGRAM [ARGUMENT…]'],
  details: [
    'The file is JSON: { "server": { "command", "args" } or { "url" }, "tests": [{ "name", "call": "add", "arguments": { "a": 1 }, "expect": { "text": "2" } }] }. Instead of "call" a test may have "read" with a URI, "prompt" or "request" with a method.',
    '"expect" can hold the "text" of the answer, a part of it ("contains"), "structured" members, "isError", the code of an "error", a "schema", or the whole "result". Without "expect" the answer must not be an error. The exit code is 2 when a test fails.',
    'FILE can also be a recording of "trunkline record". Its requests are sent again, in the revision of the recording, and every answer has to be what it was then. Questions of the server get the recorded answers. Requests that belong to the recorded session alone, such as subscriptions, tasks and later pages, are left out.',
  ],
  options: {
    junit: { type: 'string', value: 'FILE', summary: 'Write a JUnit XML report to this file' },
    ...serverOptions,
  },
  json: '`{ tests: […], passed, failed }`',
  examples: [
    { line: 'trunkline test calls.json', shows: 'the server that the file names' },
    { line: 'trunkline test calls.json --junit report.xml -- node server.js', shows: 'another one, with a report' },
    {
      line: 'trunkline test session.jsonl -- node server.js',
      shows: 'whether a recorded session still goes as it did',
    },
  ],
  async run(invocation) {
    const {
      words: [path, ...words],
      options,
      output,
      signal,
    } = invocation
    if (path === undefined)
      throw usageFailure('Cannot test: no file is named', 'trunkline test --help shows what a file holds')
    const { readTests } = await import('../expectations/read-tests.ts')
    const { runTests } = await import('../expectations/run-tests.ts')
    const file = await readTests(path)
    const client = await clientOf(file, options)
    await using server = await openServer(onServerOf(file, path, { ...invocation, words }), client)
    const { outcomes, lost } = await runTests(server.client, file.tests, signal)
    if (options.junit !== undefined) {
      const { junitReport } = await import('../expectations/junit.ts')
      await writeFile(options.junit, junitReport(path, outcomes))
    }
    const failed = outcomes.filter(({ problem }) => problem !== undefined).length
    output.result({ tests: outcomes, passed: outcomes.length - failed, failed }, () => outcomes.map(outcomeLine))
    if (lost !== undefined) throw lost
    if (failed === 0) return undefined
    throw new Failure(`${failed} of ${outcomes.length} tests failed`, {
      code: 'TestsFailed',
      exit: exitCodes.toolError,
    })
  },
})

type TestInvocation = Invocation<typeof serverOptions>

/** A recording is repeated as the client that made it: what it declared, and what it answered. */
async function clientOf({ recorded }: TestFile, { answer }: TestInvocation['options']): Promise<ClientParts> {
  if (recorded === undefined || answer !== undefined) return {}
  if (!recorded.hasTasks) return { relay: recorded }
  const { tasks } = await import('@trunkline/mcp/tasks')
  return { relay: recorded, extensions: [tasks() as ClientExtension] }
}

type ClientParts = Parameters<typeof openServer>[1]

/** The command line that names the server of the file, unless it names one itself. */
function onServerOf({ server, recorded }: TestFile, path: string, invocation: TestInvocation): TestInvocation {
  if (recorded !== undefined) return inRevision(recorded.revision, invocation)
  if (invocation.words.length > 0 || invocation.program !== undefined || server === undefined) return invocation
  const { url, command, args = [], env = {}, cwd } = server
  if (url !== undefined) return { ...invocation, words: [url] }
  if (command === undefined) throw usageFailure(`Cannot use "${path}": server needs a url or a command`)
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const options = {
    ...invocation.options,
    env: [...variables, ...(invocation.options.env ?? [])],
    // paths in a test file are relative to that file
    cwd: invocation.options.cwd ?? resolve(dirname(path), cwd ?? '.'),
  }
  return { ...invocation, options, program: [command, ...args] }
}

function inRevision(recorded: string | undefined, invocation: TestInvocation): TestInvocation {
  const revision = invocation.options.revision ?? recorded
  return revision === undefined ? invocation : { ...invocation, options: { ...invocation.options, revision } }
}

function outcomeLine({ name, ms, problem }: TestOutcome): Line {
  if (problem === undefined) return [styled('good', 'ok  '), ` ${name}`, styled('faint', ` ${ms} ms`)]
  return [styled('bad', 'FAIL'), ` ${name}: ${problem}`]
}
