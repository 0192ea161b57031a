import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { servingNote } from '../output/serving-note.ts'
import { readRecording } from '../recording/recording.ts'

/** `trunkline replay`: a recording as a server. */
export const replayCommand = defineCommand({
  name: 'replay',
  group: 'servers',
  needs: 'nothing',
  summary: 'Serves a recording over stdin and stdout, like the server that was recorded',
  usage: ['FILE'],
  details: [
    'A recorded request gets its recorded answer, with the notifications and questions that came before it. Any other request gets an error that says that it was not recorded.',
  ],
  options: {},
  json: 'nothing of its own: stdout is the protocol, and only errors are JSON, on stderr',
  examples: [{ line: 'trunkline call add a=1 b=2 -- trunkline replay add.jsonl', shows: 'a call without the server' }],
  async run({ words: [path], terminal, output }) {
    if (path === undefined) throw usageFailure('Cannot replay: no file is named', 'trunkline record makes one')
    const { recordedRequests } = await import('../recording/recorded-requests.ts')
    const { ReplayedServer } = await import('../recording/replayed-server.ts')
    const { stdioServerChannel } = await import('@trunkline/mcp/stdio')
    const requests = recordedRequests(await readRecording(path))
    if (terminal.isInteractive) output.note(servingNote(`${path}`))
    await new ReplayedServer(requests, stdioServerChannel()).run()
    return undefined
  },
})
