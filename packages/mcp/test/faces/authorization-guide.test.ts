import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const library = join(import.meta.dirname, '../..')
const guide = readFileSync(join(library, '../../docs/authorization.md'), 'utf8')

/** The fields of an interface in the sources, each behind the name of what it is the value of. */
function fieldsOf(file: string, name: string, of = ''): readonly string[] {
  const source = readFileSync(join(library, 'src/auth', file), 'utf8')
  const [, body = ''] = new RegExp(`export interface ${name}\\b[^{]*\\{([^]*?)\\n\\}`).exec(source) ?? []
  const fields = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => `${of}${field}`)
  assert.ok(fields.length > 0, `${name} in ${file} has no fields`)
  return fields
}

/** The options in a table of the guide, by how the sentence above it starts. */
function rowsAfter(sentence: string): readonly string[] {
  const [, table = ''] = guide.split(`\n${sentence}`)[1]?.match(/\n\n((?:\|.*\n)+)/) ?? []
  const rows = [...table.matchAll(/^\| (`.+?) +\|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? [])
  assert.ok(rows.length > 0, `there is no table below "${sentence}"`)
  return rows.toSorted()
}

const isWhole = (option: string) => !['introspection', 'dpop'].includes(option)

test('docs/authorization.md: names every option of a protected server, and no other', () => {
  const options = [
    ...fieldsOf('resource/protect.ts', 'ProtectOptions').filter(isWhole),
    ...fieldsOf('resource/introspection.ts', 'IntrospectionOptions', 'introspection.'),
    ...fieldsOf('resource/dpop/proofs.ts', 'DpopOptions', 'dpop.'),
  ]
  assert.deepEqual(rowsAfter('For `auth` of `serve`'), options.toSorted())
})

test('docs/authorization.md: names every option of all clients, and no other', () => {
  const options = fieldsOf('client/auth-options.ts', 'AuthOptions')
  assert.deepEqual(rowsAfter('For `signIn`, '), options.toSorted())
})

test('docs/authorization.md: names every option of single clients, and no other', () => {
  const asking = [
    ...fieldsOf('client/client-registration.ts', 'ClientChoice'),
    ...fieldsOf('client/browser-redirect.ts', 'RedirectChoice'),
  ]
  assert.deepEqual(rowsAfter('For `signIn` only'), asking.toSorted())
  const credentials = new Set([
    ...fieldsOf('client/client-authentication.ts', 'KeyedClient'),
    ...fieldsOf('client/client-credentials.ts', 'SecretClient'),
  ])
  // written as parts of types that have no body of their own
  const rest = ['assertion', 'identityProvider']
  assert.deepEqual(rowsAfter('For the other three'), [...credentials, ...rest].toSorted())
})
