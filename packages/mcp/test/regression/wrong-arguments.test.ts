import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '../../src/http.ts'
import { connect, serve, server } from '../../src/index.ts'
import { serveHttp, toNode } from '../../src/node.ts'

const program = (command: string, ...args: readonly string[]) =>
  `to start a program, give { command: "${command}", args: [${args.map((word) => `"${word}"`).join(', ')}] }`
const noUrl = 'it is no http, https, ws or wss URL'
const wanted = 'give a URL, { command, args } of a program to start, a server of this process, or a channel'

const targets: readonly [target: unknown, message: string][] = [
  [undefined, `Cannot connect to undefined: ${wanted}`],
  [null, `Cannot connect to null: ${wanted}`],
  [5, `Cannot connect to a number: ${wanted}`],
  [{}, `Cannot connect to an object: ${wanted}`],
  [Promise.resolve(1), 'Cannot connect to a promise: await it first'],
  [{ url: 'http://a.example' }, 'Cannot connect to an object: give the URL itself, as in connect("http://a.example")'],
  [{ command: ['node'] }, 'Cannot connect to an object: its "command" must be a string, not an array'],
  ['./server.js', `Cannot connect to "./server.js": ${noUrl}; ${program('node', './server.js')}`],
  ['server.py', `Cannot connect to "server.py": ${noUrl}; ${program('python3', 'server.py')}`],
  ['npx -y thing', `Cannot connect to "npx -y thing": ${noUrl}; ${program('npx', '-y', 'thing')}`],
  ['file:///srv/a.mjs', `Cannot connect to "file:///srv/a.mjs": ${noUrl}; ${program('node', '/srv/a.mjs')}`],
  ['', `Cannot connect to "": ${wanted}`],
  [
    'localhost:3000/mcp',
    'Cannot connect to "localhost:3000/mcp": it is not a URL; did you mean "http://localhost:3000/mcp"?',
  ],
  ['127.0.0.1:3000', 'Cannot connect to "127.0.0.1:3000": it is not a URL; did you mean "http://127.0.0.1:3000"?'],
  [
    'mcp.example.com/mcp',
    'Cannot connect to "mcp.example.com/mcp": it is not a URL; did you mean "http://mcp.example.com/mcp"?',
  ],
]

for (const [target, message] of targets)
  test(`connect() says what was expected: ${message}`, () =>
    assert.rejects(connect(target as never), { code: 'Misuse', message }))

const programs: readonly [target: object, message: RegExp][] = [
  [{ args: 'server.js' }, /^Cannot start "node": "args" must be a list of strings, not a string$/],
  [{ args: [5] }, /"args" must be a list of strings, and one of them is a number/],
  [{ arg: ['server.js'] }, /there is no "arg"; did you mean "args"\?/],
  [{ env: ['A=1'] }, /"env" must be an object of strings, not an array/],
  [{ env: { PORT: 3000 } }, /"env\.PORT" must be a string, not a number/],
  [{ cwd: 5 }, /"cwd" must be a string, not a number/],
]

for (const [target, message] of programs)
  test(`connect() says what a program to start takes: ${message.source}`, () =>
    assert.rejects(connect({ command: 'node', ...target } as never), { code: 'Misuse', message }))

test('connect() to a command with its arguments in it says that they stand apart', () =>
  assert.rejects(connect({ command: 'node server.js' }), {
    code: 'Spawn',
    message: /arguments stand apart, as in \{ command: "node", args: \["server\.js"\] \}/,
  }))

const shop = server({ name: 'shop', version: '1.0.0' })

test('connect() and serve() refuse options that nothing would heed', async () => {
  const misuse = (message: string) => ({ code: 'Misuse', message })
  await assert.rejects(
    connect(shop, { onlog: () => {} } as never),
    misuse('Cannot connect: there is no option "onlog"; did you mean "onLog"?'),
  )
  await assert.rejects(
    connect(shop, { http: { header: {} } } as never),
    misuse('Cannot connect: there is no option "http.header"; did you mean "headers"?'),
  )
  await assert.rejects(connect(shop, null as never), misuse('Cannot connect: the options must be an object, not null'))
  await assert.rejects(
    serve(shop, { port: 3000 } as never),
    misuse('Cannot serve: there is no option "port"; write http: 3000, or http: "host:3000"'),
  )
  await assert.rejects(serve(shop, 3000 as never), misuse('Cannot serve: the options must be an object, not a number'))
})

const unservable: readonly [server: unknown, message: string][] = [
  [undefined, 'Cannot serve undefined: give what server({ name, version }) returns'],
  [{}, 'Cannot serve an object: give what server({ name, version }) returns'],
  [Promise.resolve(shop), 'Cannot serve a promise: await it first'],
]

for (const [wrong, message] of unservable)
  test(`serve() and its like say what was expected: ${message}`, async () => {
    const misuse = { code: 'Misuse', message }
    await assert.rejects(serve(wrong as never), misuse)
    await assert.rejects(serve(wrong as never, { http: 0 }), misuse)
    await assert.rejects(serveHttp(wrong as never), misuse)
    assert.throws(() => toFetch(wrong as never), misuse)
    assert.throws(() => toNode(wrong as never), misuse)
  })
