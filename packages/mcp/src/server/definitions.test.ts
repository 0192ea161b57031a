import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { server } from './server.ts'

/** A server as an author of plain JavaScript sees it. */
// biome-ignore lint/suspicious/noExplicitAny: that is what it is there
const untyped = (warnings: string[] = []): any =>
  server({ name: 'test', version: '1.0.0', onWarning: (message) => warnings.push(message) })

const handler = () => 'x'

const wrongServers: readonly [options: unknown, message: RegExp][] = [
  [undefined, /^Cannot make a server: give its name and version, as in server\(\{ name, version \}\), not undefined$/],
  ['shop', /not a string$/],
  [{ name: 'shop' }, /^Cannot make a server: version is required; give server\(\{ name, version \}\)$/],
  [{ name: 5, version: '1' }, /name must be a string/],
  [{ name: '', version: '1' }, /name must not be empty/],
  [{ name: 'shop', version: '1', onwarning: console.warn }, /no option "onwarning"; did you mean "onWarning"\?$/],
  [{ name: 'shop', version: '1', onError: 'log' }, /"onError" must be a function, not a string/],
  [{ name: 'shop', version: '1', pageSize: 0 }, /"pageSize" must be a whole number above 0, not 0/],
  [{ name: 'shop', version: '1', cache: 60 }, /"cache" must be \{ ttlMs, scope \}/],
  [
    { name: 'shop', version: '1', declare: ['tool'] },
    /"declare" names "tool", which is not a feature; features are tools,/,
  ],
  [{ name: 'shop', version: '1', instructions: {} }, /"instructions" must be text, not an object/],
]

for (const [options, message] of wrongServers)
  test(`server() says what was expected: ${message.source}`, () => {
    assert.throws(() => server(options as never), { code: 'Misuse', message })
  })

const wrongOffers: readonly [add: (cafe: ReturnType<typeof untyped>) => unknown, message: RegExp][] = [
  [
    (cafe) => cafe.tool(),
    /^Cannot add a tool: the first argument must be its name, not undefined; write \.tool\(name,/,
  ],
  [
    (cafe) => cafe.tool('a', {}),
    /^Cannot add tool "a": the third argument must be its handler, a function, not undefined/,
  ],
  [
    (cafe) => cafe.tool('a', handler),
    /the second argument must be its definition, and the handler the third; write \.tool\("a", \{ … \}, handler\)/,
  ],
  [(cafe) => cafe.tool('a', 'Says a', handler), /the second argument must be an object, not a string/],
  [(cafe) => cafe.tool('a', z.object({}), handler), /the second argument is a schema; .* as in \{ input: schema \}/],
  [
    (cafe) => cafe.tool('a', { inputSchema: z.object({}) }, handler),
    /unknown member "inputSchema"; did you mean "input"\?/,
  ],
  [
    (cafe) => cafe.tool('a', { parameters: z.object({}) }, handler),
    /unknown member "parameters"; did you mean "input"\?/,
  ],
  [(cafe) => cafe.tool('a', { descripton: 'x' }, handler), /unknown member "descripton"; did you mean "description"\?/],
  [(cafe) => cafe.tool('a', { execute: handler }), /unknown member "execute"; the handler is the third argument/],
  [(cafe) => cafe.tool('a', { readOnlyHint: true }, handler), /did you mean "annotations"\?/],
  [(cafe) => cafe.tool('a', { owner: 'me' }, handler), /unknown member "owner"; remove it, or switch on the extension/],
  [(cafe) => cafe.tool('a', { description: 5 }, handler), /^Cannot add tool "a": description must be a string$/],
  [(cafe) => cafe.tool('a', { visible: true }, handler), /"visible" must be a function, not a boolean/],
  [(cafe) => cafe.tool('a', { scopes: 'read' }, handler), /"scopes" must be a list of strings, not a string/],
  [
    (cafe) => cafe.resource('hours', {}, handler),
    /^Cannot add resource "hours": it is not a URI; add a scheme, as in "app:\/\/hours"$/,
  ],
  [(cafe) => cafe.resource('app://opening hours', {}, handler), /write "app:\/\/opening%20hours"$/],
  [(cafe) => cafe.resource('http://', {}, handler), /clients cannot parse it as a URL/],
  [(cafe) => cafe.resource('app://a', { size: '5' }, handler), /size must be an integer/],
  [(cafe) => cafe.resource('app://a', { cache: { ttl: 5 } }, handler), /"cache" must be \{ ttlMs, scope \}/],
  [
    (cafe) => cafe.template('items/{id}', {}, handler),
    /it does not produce URIs; add a scheme, as in "app:\/\/items\/\{id\}"/,
  ],
  [(cafe) => cafe.template('app://{id}', { list: [] }, handler), /"list" must be a function, not an array/],
  [
    (cafe) => cafe.template('app://{id}', { complete: { ID: () => [] } }, handler),
    /"complete" is for "ID", which is no argument of it; did you mean "id"\?/,
  ],
  [
    (cafe) => cafe.template('app://{id}', { complete: { id: ['a'] } }, handler),
    /"complete\.id" must be a function, not an array/,
  ],
  [(cafe) => cafe.prompt('a', z.object({}), handler), /as in \{ arguments: schema \}/],
  [(cafe) => cafe.prompt('a', { argsSchema: {} }, handler), /did you mean "arguments"\?/],
  [(cafe) => cafe.prompt('a', { arguments: [{ name: 5 }] }, handler), /arguments\[0\]\.name must be a string/],
  [(cafe) => cafe.prompt('a', { arguments: [{ name: 'b' }, { name: 'b' }] }, handler), /argument "b" is given twice/],
  [
    (cafe) => cafe.prompt('a', { complete: { b: () => [] } }, handler),
    /"complete" is for "b", which is no argument of it; there are none/,
  ],
  [(cafe) => cafe.use('log'), /^Cannot use a string: an interceptor is a function/],
  [(cafe) => cafe.mount('a', {}), /^Cannot mount an object as "a": it is not a server/],
  [(cafe) => cafe.mount(untyped()), /^Cannot mount: the prefix must be text/],
  [(cafe) => cafe.mount('a', cafe), /^Cannot mount a server on itself/],
]

for (const [add, message] of wrongOffers)
  test(`a definition says what was expected: ${message.source}`, () => {
    assert.throws(() => add(untyped()), { code: 'Misuse', message })
  })

test('a schema that is none is refused by the name of the tool', () => {
  assert.throws(() => untyped().tool('a', { input: 'string' }, handler), {
    code: 'Schema',
    message: /^Cannot add tool "a": input: Cannot use schema: it is a string; give a schema of zod, valibot or arktype/,
  })
})

test('a definition that only some clients refuse is accepted with a warning', () => {
  const warnings: string[] = []
  const cafe = untyped(warnings)
  cafe.tool('get weather', {}, handler)
  cafe.tool('x'.repeat(129), {}, handler)
  cafe.resource('app://münchen', {}, handler)
  cafe.mount('my shop', untyped())
  assert.match(warnings[0] ?? '', /^Tool "get weather" may be refused by clients: its name has other characters than/)
  assert.match(warnings[1] ?? '', /may be refused by clients: its name is longer than 128 characters$/)
  assert.match(warnings[2] ?? '', /write "app:\/\/m%C3%BCnchen"$/)
  assert.match(warnings[3] ?? '', /^Tool "my shop_" may be refused/)
  assert.equal(warnings.length, 4)
  assert.equal(cafe.tools.has('get weather'), true)
})

test('a valid definition causes no warning', () => {
  const warnings: string[] = []
  const cafe = untyped(warnings)
  cafe.tool('shop.get_weather-2', { title: 'Weather', annotations: { readOnlyHint: true }, meta: {} }, handler)
  cafe.resource('file:///home/me/a%20b', { cache: { ttlMs: 1, scope: 'public' } }, handler)
  cafe.template('{+uri}', { complete: { uri: () => [] }, list: () => [] }, handler)
  cafe.prompt('any prompt', { arguments: [{ name: 'b' }], complete: { b: () => [] } }, handler)
  assert.deepEqual(warnings, [])
})
