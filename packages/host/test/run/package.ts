/** A package with a server in it, packed as npm packs it, in versions. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** Packs a version at a path that every version of it has. */
export function packVersion(folder: string, packed: PackedVersion): string {
  const from = join(folder, `notes-${packed.version}`)
  mkdirSync(from, { recursive: true })
  const manifest = { name: '@acme/notes', version: packed.version, bin: { notes: 'notes.js' }, scripts: packed.scripts }
  writeFileSync(join(from, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(from, 'notes.js'), source(packed), { mode: 0o755 })
  execFileSync('npm', ['pack', from, '--pack-destination', folder, '--loglevel=error'], { stdio: 'ignore' })
  const path = join(folder, 'notes.tgz')
  renameSync(join(folder, `acme-notes-${packed.version}.tgz`), path)
  return path
}
