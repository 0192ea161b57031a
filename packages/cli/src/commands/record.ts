import { statSync } from 'node:fs'
import { defineCommand } from '../command/command.ts'
import { findCommand, runCommand } from '../command/run-command.ts'
import { type Failure, usageFailure } from '../failure/failure.ts'
import { RecordingFile } from '../recording/recording-file.ts'
import { wireRecord } from '../recording/wire-line.ts'

/** `trunkline record`: another command, with the conversation kept in a file. */
export const recordCommand = defineCommand({
  name: 'record',
  group: 'servers',
  needs: 'nothing',
  summary: 'Runs another command and records its messages in a file, secrets masked',
  usage: ['FILE COMMAND [ARGUMENT…]'],
  details: [
    'Attach the file to a bug report, or serve it with "trunkline replay" as a mock of the recorded server, or check with "trunkline test" that the server still answers as it did. Everything that looks like a secret, by its name or its form, is masked before it is written. Review the file before you share it.',
    'The file has one JSON object per line. The first is { "recording": "trunkline", "format": 1, "begun" }, the others are { "at", "direction", "message" }.',
  ],
  options: {
    force: { type: 'boolean', short: 'f', summary: 'Replace FILE if it is there; otherwise that is refused' },
  },
  takesRest: true,
  json: 'what the recorded command prints',
  examples: [
    { line: 'trunkline record add.jsonl call add a=1 b=2 -- node server.js', shows: 'records a call' },
    { line: 'trunkline tools -- trunkline replay add.jsonl', shows: 'uses the recording as a server' },
    { line: 'trunkline test add.jsonl -- node server.js', shows: 'uses the recording as a regression test' },
  ],
  async run({ words: [path, ...line], options, ...context }) {
    const [name] = line
    if (path === undefined || name === undefined || Object.hasOwn(context.commands, path)) throw notNamed(path)
    // a mistake in the line must not cost an earlier recording
    await findCommand(name, context.commands)
    const found = statSync(path, { throwIfNoEntry: false })
    // a pipe or a device, such as /dev/stdout, has nothing that could be lost
    const replaces = options.force === true || (found !== undefined && !found.isFile())
    if (found && !replaces) throw taken(path)
    const begun = performance.now()
    const full = new AbortController()
    using file = new RecordingFile(path, {
      replaces,
      onLimit: (message) => context.output.warn(message),
      onError: (error) => full.abort(error),
    })
    const code = await runCommand(line, {
      ...context,
      signal: AbortSignal.any([context.signal, full.signal]),
      onWire: (direction, message) => file.keep(wireRecord(direction, message, performance.now() - begun)),
    })
    full.signal.throwIfAborted()
    return code
  },
})

function taken(path: string): Failure {
  return usageFailure(
    `Cannot record into "${path}": the file is there already`,
    'Name another file, or replace it: trunkline record --force FILE COMMAND',
  )
}

function notNamed(path: string | undefined): Failure {
  const taken = path === undefined ? '' : `; "${path}" is a command`
  const hint = 'Write: trunkline record FILE COMMAND, such as trunkline record session.jsonl tools -- node server.js'
  return usageFailure(`Cannot record: name a file and a command${taken}`, hint)
}
