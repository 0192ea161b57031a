import { dirname, resolve } from 'node:path'
import { defineCommand, type Invocation } from '../command/command.ts'
import { timeoutOf } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import type { ProgramDescription } from '../wrap/description.ts'

const wrapOptions = {
  init: { type: 'string', value: 'FILE', summary: 'Write a description of the program there, for editing, and end' },
  root: {
    type: 'string',
    value: 'FOLDER',
    multiple: true,
    summary: 'Let calls run in this folder and those in it; by default the one this is started in',
  },
  env: serverOptions.env,
  timeout: { type: 'string', value: 'SECONDS', summary: 'Stop every call after this time; by default 60' },
  tty: { type: 'boolean', summary: 'Run the program in a terminal, and pass its questions on' },
  openapi: {
    type: 'string',
    value: 'FILE|URL',
    summary: 'Serve the HTTP API that this describes (OpenAPI 3.0 or 3.1)',
  },
  base: { type: 'string', value: 'URL', summary: 'Where the API is; by default the first server of its description' },
  auth: {
    type: 'string',
    value: 'SCHEME=env:NAME',
    multiple: true,
    summary: 'Show who calls with what this variable, or secret:NAME, holds',
  },
  tag: { type: 'string', value: 'TAG', multiple: true, summary: 'Offer only operations of the API with this tag' },
  as: {
    type: 'string',
    value: 'WHAT',
    choices: ['tools', 'search'],
    summary: 'Offer one tool per operation, or three to search and call them; by default tools up to 100',
  },
  loose: { type: 'boolean', summary: 'Promise nothing about what the API answers' },
} as const

/** `trunkline wrap`: a server made of a program. */
export const wrapCommand = defineCommand({
  name: 'wrap',
  group: 'authors',
  summary: 'Serves a command-line program or an HTTP API: what it can do, as tools',
  usage: ['-- PROGRAM [ARGUMENT…]', '--init FILE -- PROGRAM [ARGUMENT…]', 'FILE', '--openapi FILE|URL'],
  details: [
    'The program is started with --help, and what it says of its commands, options and their values becomes tools. --init writes that down, as YAML or JSON, for you to edit; then serve the file. docs/wrap.md says what it may hold.',
    'A result has the exit code, stdout and stderr apart; one other than 0 is a failure. No shell is involved, values that look like options are not taken for them, the environment is what you name and little else, and a call that is cancelled or late ends the program and all it started.',
  ],
  options: wrapOptions,
  json: 'nothing of its own while it serves: stdout is the protocol; with --init `{ file, tools }`',
  examples: [
    { line: 'trunkline tools -- trunkline wrap -- git', shows: 'what a program becomes' },
    { line: 'trunkline wrap --init git.yaml -- git', shows: 'a description to edit' },
    { line: 'trunkline add git -- trunkline wrap git.yaml', shows: 'the edited one among your servers' },
    { line: 'trunkline wrap --openapi api.yaml --auth key=env:API_KEY', shows: 'an HTTP API' },
  ],
  async run(invocation) {
    const { options, output, terminal, signal } = invocation
    if (options.openapi !== undefined) return serveApi(invocation)
    for (const name of ['base', 'auth', 'tag', 'as', 'loose'] as const)
      if (options[name] !== undefined) throw usageFailure(`Cannot use --${name} without --openapi`)
    const { programEnvironment } = await import('../wrap/program-environment.ts')
    const description = await descriptionFor(invocation)
    const count = description.tools?.length ?? 0
    if (options.init !== undefined) {
      const { writeDescription } = await import('../wrap/write-description.ts')
      await writeDescription(options.init, description)
      output.result({ file: options.init, tools: count }, () => [
        `Wrote ${options.init}: ${count === 1 ? 'one tool' : `${count} tools`}. Edit it, then serve it: trunkline wrap ${options.init}`,
      ])
      return undefined
    }
    const inTerminal = options.tty || description.tty || description.tools?.some(({ tty }) => tty)
    if (inTerminal && process.platform !== 'linux')
      throw usageFailure('Cannot run the program in a terminal: that takes Linux, and its "script"')
    const { wrappedServer } = await import('../wrap/wrapped-server.ts')
    const { serve } = await import('@trunkline/mcp')
    const wrapped = wrappedServer(description, {
      roots: (options.root ?? ['.']).map((root) => resolve(root)),
      env: programEnvironment({ ...(description.env && { env: description.env }), given: options.env ?? [] }),
      timeoutMs: timeoutOf(options.timeout),
      tty: options.tty,
    })
    if (terminal.isInteractive)
      output.note(
        `Serving ${count === 1 ? 'one tool' : `${count} tools`} to a client on stdin, which is for programs; Ctrl-C ends it. To look at it, put trunkline tools -- in front`,
      )
    const { stopAllGroups } = await import('../wrap/process-group.ts')
    signal.addEventListener('abort', stopAllGroups)
    await serve(wrapped)
    return undefined
  },
})

/** Serves an HTTP API. */
async function serveApi({ options, words, program, output, terminal, signal }: Invocation<typeof wrapOptions>) {
  if (words.length > 0 || program !== undefined || options.init !== undefined || options.tty)
    throw usageFailure('Cannot wrap a program and an API at once: --openapi stands alone')
  const { openApi } = await import('../openapi/open-api.ts')
  const { api, count, base } = await openApi(
    { ...options, source: options.openapi as string, timeoutMs: timeoutOf(options.timeout) },
    signal,
  )
  if (terminal.isInteractive)
    output.note(`Serving ${count} operations of ${base.href} to whatever client writes to stdin; end it with Ctrl-C`)
  const { serve } = await import('@trunkline/mcp')
  await serve(api)
  return undefined
}

async function descriptionFor({
  words,
  program,
  options,
  signal,
}: Invocation<typeof wrapOptions>): Promise<ProgramDescription> {
  const [file, ...more] = words
  if (more.length > 0) throw usageFailure(`Cannot wrap "${more[0]}": name one file, or a program after "--"`)
  if (file !== undefined && program !== undefined)
    throw usageFailure('Cannot wrap both a file and a program: the file names its program')
  if (file !== undefined) {
    const { readDescription } = await import('../wrap/read-description.ts')
    return located(await readDescription(file), dirname(file))
  }
  if (!program?.[0])
    throw usageFailure(
      'Cannot wrap: no program is named',
      'trunkline wrap -- git, or with a description: trunkline wrap git.yaml',
    )
  const { describeProgram } = await import('../wrap/describe-program.ts')
  const { programEnvironment } = await import('../wrap/program-environment.ts')
  return describeProgram(locatedProgram(program, '.'), {
    cwd: process.cwd(),
    env: programEnvironment({ given: options.env ?? [] }),
    signal,
  })
}

/** The program of a description by a path that holds wherever a call runs; in a file it is meant from where the file is. */
function located(description: ProgramDescription, folder: string): ProgramDescription {
  return { ...description, program: locatedProgram(description.program, folder) }
}

function locatedProgram([command = '', ...args]: readonly string[], folder: string): readonly string[] {
  return [/[/\\]/.test(command) ? resolve(folder, command) : command, ...args]
}
