import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const library = join(import.meta.dirname, '../..')
const guide = readFileSync(join(library, '../../docs/http.md'), 'utf8')

/** The options that an interface in the sources has. */
function optionsOf(file: string, name: string): readonly string[] {
  const source = readFileSync(join(library, 'src', file), 'utf8')
  const [, body = ''] = new RegExp(`export interface ${name}\\b[^{]*\\{([^]*?)\\n\\}`).exec(source) ?? []
  const options = [...body.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, option = '']) => option)
  assert.ok(options.length > 0, `${name} in ${file} has no options`)
  return options
}

test('docs/http.md: its tables name every option there is, and no other', () => {
  const options = new Set([
    ...optionsOf('http-endpoint.ts', 'HttpOptions'),
    ...optionsOf('transports/http/server/endpoint-options.ts', 'EndpointOptions').filter((name) => name !== 'sessions'),
    ...optionsOf('transports/http/server/guard.ts', 'GuardOptions'),
    ...optionsOf('transports/http/node/listen-http.ts', 'HttpServerOptions'),
    ...optionsOf('serve.ts', 'ServeOptions').filter((name) => name !== 'http'),
    ...optionsOf('transports/http/session/session-table.ts', 'SessionOptions').map((name) => `sessions.${name}`),
  ])
  const rows = [...guide.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? [])
  assert.deepEqual(rows.toSorted(), [...options].toSorted())
})
