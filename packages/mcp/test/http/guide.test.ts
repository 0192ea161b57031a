import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const library = join(import.meta.dirname, '../..')
const guide = readFileSync(join(library, '../../docs/clients.md'), 'utf8')
const sources = readFileSync(join(library, 'src/transports/http/client/http-channel-options.ts'), 'utf8')

test('docs/clients.md: its table names every option of http, and no other', () => {
  const [, body = ''] = /export interface HttpChannelOptions \{([\s\S]*?)\n\}/.exec(sources) ?? []
  // limits are given to connect itself
  const options = [...body.matchAll(/^ {2}readonly (\w+)\?:/gm)]
    .map(([, option = '']) => option)
    .filter((option) => option !== 'limits')
  // the page has other tables as well
  const table = guide.split('\n\n').find((block) => block.includes('| `onSessionLost`')) ?? ''
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name)
  assert.deepEqual(rows.toSorted(), [...options, 'WebSocket'].toSorted())
})
