import { defineCommand } from '../command/command.ts'
import { runCommand } from '../command/run-command.ts'
import { usageFailure } from '../failure/failure.ts'
import { RecordingFile } from '../recording/recording-file.ts'
import { wireRecord } from '../recording/wire-line.ts'

/** `trunkline record`: another command, with the conversation kept in a file. */
export const recordCommand = defineCommand({
  name: 'record',
  group: 'servers',
  summary: 'Runs another command and keeps the conversation in a file, secrets masked',
  usage: ['FILE COMMAND [ARGUMENT…]'],
  details: [
    'The file is a report of a fault, and with trunkline replay a server that behaves like the one that was recorded. What looks like a secret, by its name or its form, is masked before it is written; look it over before you give it away.',
    'One JSON object per line: the first is { "recording": "trunkline", "format": 1, "begun" }, each other { "at", "direction", "message" }.',
  ],
  options: {},
  takesRest: true,
  json: 'what the command that is recorded prints',
  examples: [
    { line: 'trunkline record add.jsonl call add a=1 b=2 -- node server.js', shows: 'a call' },
    { line: 'trunkline tools -- trunkline replay add.jsonl', shows: 'what it was recorded for' },
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
