import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { readRecording } from '../recording/recording.ts'

/** `trunkline replay`: a recording as a server. */
export const replayCommand = defineCommand({
  name: 'replay',
  group: 'servers',
  summary: 'Serves a recording over stdin and stdout, as the server that was recorded',
  usage: ['FILE'],
  details: [
    'What was asked then is answered as it was then, with the notifications and questions that came in between. What was not asked then is an error that says so.',
  ],
  options: {},
  json: 'nothing of its own: stdout is the protocol, and only errors are JSON, on stderr',
  examples: [{ line: 'trunkline call add a=1 b=2 -- trunkline replay add.jsonl', shows: 'a call without the server' }],
  async run({ words: [path, ...more] }) {
    if (path === undefined || more.length > 0) throw usageFailure('Cannot replay: name one file')
    const { exchangesOf } = await import('../recording/exchanges.ts')
    const { ReplayedServer } = await import('../recording/replayed-server.ts')
    const { stdioServerChannel } = await import('@trunkline/mcp/stdio')
    const exchanges = exchangesOf(await readRecording(path))
    await new ReplayedServer(exchanges, stdioServerChannel()).run()
    return undefined
  },
})
