import { writeFile } from 'node:fs/promises'
import type { ResourceContents } from '@trunkline/mcp/client'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { contentsLines } from '../output/content.ts'

/** `trunkline read`: what is at an address of a server. */
export const readCommand = defineCommand({
  name: 'read',
  group: 'servers',
  needs: 'nothing',
  summary: 'Reads a resource',
  usage: ['SERVER URI', 'URI -- PROGRAM [ARGUMENT…]'],
  details: [
    'Text is printed with hidden and misleading characters made visible. Of binary contents only the size is printed. --output writes the contents unchanged to a file, or to stdout with -.',
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'FILE', summary: 'Write the contents to this file, byte for byte' },
    ...serverOptions,
  },
  json: 'the result of resources/read: `{ contents }`',
  examples: [
    { line: 'trunkline read https://example.com/mcp file:///notes.txt', shows: 'a text' },
    { line: 'trunkline read shop:logo --output logo.png -- node server.js', shows: 'a picture, into a file' },
  ],
  async run(invocation) {
    const { options, output, signal } = invocation
    await using server = await openServer(invocation)
    const [uri] = server.words
    if (uri === undefined) throw usageFailure('Cannot read: no URI is given', 'trunkline resources lists them')
    const result = await server.client.resources.read(uri, { signal })
    if (options.output === undefined) output.result(result, () => result.contents.flatMap(contentsLines))
    else if (options.output === '-') output.bytes(bytesOf(result.contents))
    else await writeFile(options.output, bytesOf(result.contents))
    return undefined
  },
})

function bytesOf(contents: readonly ResourceContents[]): Uint8Array {
  return Buffer.concat(
    contents.map((one) => ('text' in one ? Buffer.from(one.text, 'utf8') : Buffer.from(one.blob, 'base64'))),
  )
}
