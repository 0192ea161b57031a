import { dirname, resolve } from 'node:path'
import type { ProgramDescription } from '@trunkline/authoring/wrap'
import { defineCommand, type Invocation } from '../command/command.ts'
import { timeoutOf } from '../command/open-server.ts'
import { ownVersion } from '../command/own-version.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { counted } from '../output/counted.ts'
import { servingNote } from '../output/serving-note.ts'

const wrapOptions = {
  init: { type: 'string', value: 'FILE', summary: 'Write a description of the program to this file and exit' },
  root: {
    type: 'string',
    value: 'FOLDER',
    multiple: true,
    summary: 'Let calls run in this folder and below; by default the current folder',
  },
  env: serverOptions.env,
  timeout: { type: 'string', value: 'SECONDS', summary: 'Stop a call after this time; 60 by default' },
  tty: { type: 'boolean', summary: 'Run the program in a terminal, and pass its questions to the client' },
  openapi: {
    type: 'string',
    value: 'FILE|URL',
    summary: 'Serve the HTTP API of this OpenAPI 3.0 or 3.1 document',
  },
  base: {
    type: 'string',
    value: 'URL',
    summary: 'The base address of the API; by default the first server in the document',
  },
  auth: {
    type: 'string',
    value: 'SCHEME=env:NAME',
    multiple: true,
    summary: 'The credential for a security scheme: env:NAME or secret:NAME',
  },
  tag: { type: 'string', value: 'TAG', multiple: true, summary: 'Offer only operations with this tag' },
  as: {
    type: 'string',
    value: 'WHAT',
    choices: ['tools', 'search'],
    summary: 'One tool per operation, or three tools to search and call; by default tools up to 100',
  },
  loose: { type: 'boolean', summary: 'Declare no output schemas' },
} as const

/** `trunkline wrap`: a server made of a program. */
export const wrapCommand = defineCommand({
  name: 'wrap',
  group: 'authors',
  needs: 'nothing',
  summary: 'Turns a command-line program or an HTTP API into a server',
  usage: ['-- PROGRAM [ARGUMENT…]', '--init FILE -- PROGRAM [ARGUMENT…]', 'FILE', '--openapi FILE|URL'],
  details: [
    'Runs the program with --help and turns its commands, options and their values into tools. --init writes a description as YAML or JSON that you can edit and then serve. docs/wrap.md documents that file.',
    'A result has the exit code, stdout and stderr in separate members; an exit code other than 0 is an error. No shell is involved, and a value that looks like an option cannot become one. The program gets a small environment and the variables you name. When a call is cancelled or takes too long, the program and everything it started is stopped.',
  ],
  options: wrapOptions,
  json: 'nothing while it serves, as stdout is the protocol; with --init `{ file, tools }`',
  examples: [
    { line: 'trunkline tools -- trunkline wrap -- git', shows: 'the tools of a wrapped program' },
    { line: 'trunkline wrap --init git.yaml -- git', shows: 'a description to edit' },
    { line: 'trunkline add git -- trunkline wrap git.yaml', shows: 'adds the edited description to your servers' },
    { line: 'trunkline wrap --openapi api.yaml --auth key=env:API_KEY', shows: 'an HTTP API' },
  ],
  async run(invocation) {
    const { options, output, terminal, signal } = invocation
    if (options.openapi !== undefined) return serveApi(invocation)
    for (const name of ['base', 'auth', 'tag', 'as', 'loose'] as const)
      if (options[name] !== undefined) throw usageFailure(`Cannot use --${name} without --openapi`)
    const { programEnvironment, stopAllGroups, wrappedServer, writeDescription } = await import(
      '@trunkline/authoring/wrap'
    )
    const description = await descriptionFor(invocation)
    const count = description.tools?.length ?? 0
    if (options.init !== undefined) {
      await writeDescription(options.init, description)
      output.result({ file: options.init, tools: count }, () => [
        `Wrote ${options.init}: ${count === 1 ? 'one tool' : `${count} tools`}. Edit it, then serve it: trunkline wrap ${options.init}`,
      ])
      return undefined
    }
    const inTerminal = options.tty || description.tty || description.tools?.some(({ tty }) => tty)
    if (inTerminal && process.platform !== 'linux')
      throw usageFailure('Cannot run the program in a terminal: that takes Linux, and its "script"')
    const { serve } = await import('@trunkline/mcp')
    const wrapped = wrappedServer(description, {
      version: ownVersion(),
      roots: (options.root ?? ['.']).map((root) => resolve(root)),
      env: programEnvironment({ ...(description.env && { env: description.env }), given: options.env ?? [] }),
      timeoutMs: timeoutOf(options.timeout),
      tty: options.tty,
    })
    if (terminal.isInteractive) output.note(servingNote(counted(count, 'tool')))
    signal.addEventListener('abort', stopAllGroups)
    await serve(wrapped)
    return undefined
  },
})

/** Serves an HTTP API. */
async function serveApi({ options, program, output, terminal, signal }: Invocation<typeof wrapOptions>) {
  if (program !== undefined || options.init !== undefined || options.tty)
    throw usageFailure('Cannot wrap a program and an API at once: --openapi stands alone')
  const { openApi } = await import('@trunkline/authoring/openapi')
  const { api, count, base } = await openApi(
    { ...options, source: options.openapi as string, timeoutMs: timeoutOf(options.timeout) },
    signal,
  )
  if (terminal.isInteractive) output.note(servingNote(`${counted(count, 'operation')} of ${base.href}`))
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
  const [file] = words
  if (file !== undefined && program !== undefined)
    throw usageFailure('Cannot wrap both a file and a program: the file names its program')
  if (file !== undefined) {
    const { readDescription } = await import('@trunkline/authoring/wrap')
    return located(await readDescription(file), dirname(file))
  }
  if (!program?.[0])
    throw usageFailure(
      'Cannot wrap: no program is named',
      'trunkline wrap -- git, or with a description: trunkline wrap git.yaml',
    )
  const { describeProgram, programEnvironment } = await import('@trunkline/authoring/wrap')
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
