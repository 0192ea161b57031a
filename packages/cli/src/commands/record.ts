import { defineCommand } from '../command/command.ts'
import { runCommand } from '../command/run-command.ts'
import { usageFailure } from '../failure/failure.ts'
import { RecordingFile } from '../recording/recording-file.ts'
import { wireRecord } from '../recording/wire-line.ts'

/** `trunkline record`: another command, with the conversation kept in a file. */
export const recordCommand = defineCommand({
  name: 'record',
  group: 'servers',
  summary: 'Runs another command and records its messages in a file, secrets masked',
  usage: ['FILE COMMAND [ARGUMENT…]'],
  details: [
    'Attach the file to a bug report, or serve it with "trunkline replay" as a mock of the recorded server. Everything that looks like a secret, by its name or its form, is masked before it is written. Review the file before you share it.',
    'The file has one JSON object per line. The first is { "recording": "trunkline", "format": 1, "begun" }, the others are { "at", "direction", "message" }.',
  ],
  options: {},
  takesRest: true,
  json: 'what the recorded command prints',
  examples: [
    { line: 'trunkline record add.jsonl call add a=1 b=2 -- node server.js', shows: 'records a call' },
    { line: 'trunkline tools -- trunkline replay add.jsonl', shows: 'uses the recording as a server' },
  ],
  async run({ words: [path, ...line], ...context }) {
    if (path === undefined || line.length === 0) throw usageFailure('Cannot record: name a file and a command')
    const begun = performance.now()
    using file = new RecordingFile(path, (message) => context.output.warn(message))
    return await runCommand(line, {
      ...context,
      onWire: (direction, message) => file.keep(wireRecord(direction, message, performance.now() - begun)),
    })
  },
})
