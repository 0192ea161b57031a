import { defineCommand } from '../command/command.ts'
import { runCommand } from '../command/run-command.ts'
import { usageFailure } from '../failure/failure.ts'
import { wireLine, wireRecord } from '../recording/wire-line.ts'

/** `trunkline trace`: another command, with all that passes between it and the server. */
export const traceCommand = defineCommand({
  name: 'trace',
  group: 'servers',
  needs: 'nothing',
  summary: 'Runs another command and shows every message on the wire, secrets masked',
  usage: ['COMMAND [ARGUMENT…]'],
  details: [
    'The results of the other command are not printed; its errors are, and its exit code is kept. → marks what was sent, ← what was received.',
  ],
  options: {},
  takesRest: true,
  json: 'one line `{ at, direction, message }` per message; `at` is in milliseconds',
  examples: [
    { line: 'trunkline trace call add a=1 b=2 -- node server.js', shows: 'a call as it is on the wire' },
    { line: 'trunkline trace --json tools https://example.com/mcp', shows: 'the same for scripts' },
  ],
  async run({ words, ...context }) {
    if (words.length === 0)
      throw usageFailure('Cannot trace: no command is named', 'trunkline trace tools -- node server.js')
    const begun = performance.now()
    return runCommand(words, {
      ...context,
      output: context.output.withoutResults(),
      onWire(direction, message) {
        const record = wireRecord(direction, message, performance.now() - begun)
        context.output.event(record, () => wireLine(record))
      },
    })
  },
})
