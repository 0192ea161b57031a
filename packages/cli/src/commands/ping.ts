import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'

/** `trunkline ping`: whether a server answers, and how soon. */
export const pingCommand = defineCommand({
  name: 'ping',
  group: 'servers',
  needs: 'nothing',
  summary: 'Checks that a server answers, and how fast',
  usage: ['SERVER', '-- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: '`{ connectMs, answerMs }`',
  examples: [
    { line: 'trunkline ping https://example.com/mcp', shows: 'milliseconds to connect and to answer' },
    { line: 'trunkline ping --quiet --timeout 2 https://example.com/mcp || echo down', shows: 'a check for scripts' },
  ],
  async run(invocation) {
    const { output, signal } = invocation
    const begun = performance.now()
    await using server = await openServer(invocation)
    const connected = performance.now()
    await server.client.ping({ signal })
    const connectMs = round(connected - begun)
    const answerMs = round(performance.now() - connected)
    if (output.quiet && !output.json) return undefined
    output.result({ connectMs, answerMs }, () => [`Answered in ${answerMs} ms, after ${connectMs} ms to connect`])
    return undefined
  },
})

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
