/** A package with a server in it, packed as npm packs it, in versions. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Offers of a version of the package; a broken one ends before it says a word. */
export interface PackedVersion {
  readonly version: string
  readonly description: string
  readonly isBroken?: boolean
  /** Code that it runs first. */
  readonly begins?: string
  /** Its install scripts. */
  readonly scripts?: { readonly [step: string]: string }
}

/** The program of a version, for Node without a package around it. */
export const source = ({ version, description, isBroken, begins = '' }: PackedVersion) => `#!/usr/bin/env node
${isBroken ? "console.error('broken'); process.exit(1)" : ''}
${begins}
const tools = [{ name: 'read_note', description: ${JSON.stringify(description)}, inputSchema: { type: 'object' } }]
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: ${JSON.stringify(version)} },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: ${JSON.stringify(version)} + ' ' + process.argv.slice(2) }] }),
  ping: () => ({}),
}
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const made = results[method]
  const answer = made ? { result: made(params) } : { error: { code: -32601, message: 'no such method' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})
`

/** Packs a version at a path that every version of it has; npm itself takes longer to pack than to install. */
export function packVersion(folder: string, packed: PackedVersion): string {
  const { version, scripts } = packed
  const manifest = JSON.stringify({ name: '@acme/notes', version, bin: { notes: 'notes.js' }, scripts })
  const entries = [
    tarEntry('package/package.json', manifest, 0o644),
    tarEntry('package/notes.js', source(packed), 0o755),
  ]
  const path = join(folder, 'notes.tgz')
  // two empty blocks are the end
  writeFileSync(path, gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)])))
  return path
}

const blockBytes = 512
/** The time of every file that npm packs, in seconds. */
const packedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** A file in a tar archive. @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
function tarEntry(name: string, text: string, mode: number): Buffer {
  const content = Buffer.from(text)
  const header = Buffer.alloc(blockBytes)
  const number = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  header.write(name, 0)
  number(mode, 100, 8)
  for (const owner of [108, 116]) number(0, owner, 8)
  number(content.length, 124, 12)
  number(packedAt, 136, 12)
  header.write('0', 156)
  header.write('ustar\0' + '00', 257)
  // the sum is that of a header with spaces in its place
  header.write(' '.repeat(8), 148)
  number(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (blockBytes - 1))])
}
