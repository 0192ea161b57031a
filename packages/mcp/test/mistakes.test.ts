/** Messages that users see who get something wrong, and that the guides say in the same words. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, type Context, connect, serve, server } from '@trunkline/mcp'
import { signIn } from '@trunkline/mcp/auth'
import { protect } from '@trunkline/mcp/auth/resource'
import { contract } from '@trunkline/mcp/contract'
import { toFetch } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { relay } from '@trunkline/mcp/relay'
import { z } from 'zod'

const docs = join(import.meta.dirname, '../../../docs')
const nothing = () => {}
const sure = z.object({ sure: z.boolean() })
const url = 'http://localhost:3000/mcp'

/** A mistake is in the guide with the words that it leads to; what differs from run to run is replaced first. */
function assertDocumented(page: string, message: string): void {
  const shown = message.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:3000')
  assert.ok(readFileSync(join(docs, page), 'utf8').includes(`\`${shown}\``), `docs/${page} does not say: ${shown}`)
}

async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

const shop = (handler: (ctx: Context) => unknown, heard: string[] = []) =>
  server({
    name: 'shop',
    version: '1.0.0',
    onWarning: (warning) => heard.push(String(warning)),
    onError: (error) => heard.push((error as Error).message),
  }).tool('ask', { input: z.object({ item: z.string().default('lamp') }) }, async (_, ctx) => {
    await handler(ctx)
    return 'done'
  })

/** Outcome of a call: the text of its result, or the message of its error. */
async function called(handler: (ctx: Context) => unknown, elicitation?: unknown, heard?: string[]): Promise<string> {
  const answers = { elicitation, sampling: () => {} } as object
  await using client = await connect(shop(handler, heard), elicitation === undefined ? {} : answers)
  try {
    const { content } = await client.tools.call('ask', {})
    return (content[0] as { text: string }).text
  } catch (error) {
    return (error as Error).message
  }
}

const connecting: readonly [mistake: string, run: () => unknown][] = [
  ['connect(undefined)', () => connect(undefined as never)],
  ["connect('./server.js')", () => connect('./server.js' as never)],
  ["connect('localhost:3000/mcp')", () => connect('localhost:3000/mcp' as never)],
  ['connect({ url })', () => connect({ url } as never)],
  ['connect(url, { timeout: 5 })', () => connect(url, { timeout: 5 } as never)],
  ['a program that is not there', () => connect({ command: 'no-such-program' })],
  ['serve({})', () => serve({} as never)],
  [
    'serve(shop, { port: 3000 })',
    () =>
      serve(
        shop(() => {}),
        { port: 3000 } as never,
      ),
  ],
]
for (const [mistake, run] of connecting)
  test(`clients.md says what is said to ${mistake}`, async () => assertDocumented('clients.md', await messageOf(run)))

const inPlainJavaScript: readonly [run: () => unknown, message: RegExp][] = [
  [() => connect(url, { elicitation: true } as never), /"elicitation" must be a function .*, not a boolean$/],
  [() => connect(url, { sampling: {} } as never), /"sampling" must be a function .*, not an object$/],
  [() => connect(url, { roots: ['/tmp'] } as never), /"roots" must be a list of roots such as .*, not an array$/],
  [() => connect(url, { signal: 5 } as never), /"signal" must be an AbortSignal, not a number$/],
  [() => connect(url, { use: [{}] } as never), /"use" must be a list of interceptors/],
  [() => connect(url, { auth: 'token' } as never), /"auth" must be an authorizer .*"http\.headers"\), not a string$/],
  [() => serve(shop(nothing), { auth: { issuer: url } }), /over stdio with "auth": no token .*; give "http"/],
  [() => server({ name: 'a', version: '1', extensions: [() => {}] } as never), /a function as an extension: give what/],
  [() => shop(nothing).resource('a://{id}', {}, () => ''), /it has variables; write \.template\("a:\/\/\{id\}"/],
  [
    () => server({ name: 'a', version: '1', limits: { maxQuestion: 1 } } as never),
    /did you mean "maxQuestionsPerCall"/,
  ],
  [() => toFetch(shop(nothing), { authenticator: {} } as never), /no option "authenticator"$/],
  [() => toNode(shop(nothing), { origin: [] } as never), /no option "origin"; did you mean "origins"\?$/],
  [() => serveHttp(shop(nothing), { http: 0 } as never), /^Cannot serve: there is no option "http"/],
  [() => protect({ issuer: url, resource: url, scope: ['a'] } as never), /protect the server: .*did you mean "scopes"/],
  [() => signIn({ redirectURI: url } as never), /^Cannot authorize: .*did you mean "redirectUri"\?$/],
  [() => relay({} as never), /Cannot make a relay: give relay\(/],
  [() => relay({ name: 'a', version: '1', handle: nothing, capabilites: {} } as never), /did you mean "capabilities"/],
]
for (const [run, message] of inPlainJavaScript)
  test(`a mistake that only types would find is refused: ${message.source}`, async () => {
    await assert.rejects(async () => run(), { code: 'Misuse', message })
  })

for (const [status, headers] of [
  [401, {}],
  [401, { authorization: 'Bearer old' }],
  [404, {}],
] as const)
  test(`clients.md says what ${status} ${JSON.stringify(headers)} leads to`, async (context) => {
    const web = createServer((_, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    context.after(() => web.close().closeAllConnections())
    const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`
    assertDocumented('clients.md', await messageOf(() => connect(new URL(address), { http: { headers } })))
  })

test('clients.md says what a program that ends at once leads to', async () => {
  const message = await messageOf(() => connect({ command: process.execPath, args: ['-e', 'process.exit(1)'] }))
  assertDocumented('clients.md', message.split(',')[0] ?? '')
})

test('clients.md says what wrong calls lead to', async () => {
  await using client = await connect(shop(() => {}))
  const calls = client as unknown as { tools: { call(...args: unknown[]): Promise<{ content: { text: string }[] }> } }
  assertDocumented('clients.md', await messageOf(() => calls.tools.call('aks', {})))
  assertDocumented('clients.md', await messageOf(() => calls.tools.call({ name: 'ask' })))
  assertDocumented('clients.md', (await calls.tools.call('ask', { item: 1 })).content[0]?.text ?? '')
})

test('clients.md says what unknown options of a call lead to, and nothing is sent', async () => {
  let runs = 0
  const counted = shop(() => {
    runs += 1
  })
  await using client = await connect(counted)
  await using keeping = await connect(counted, { extensions: [contract()] })
  const tools = (from: object) => (from as { tools: { call(...args: unknown[]): Promise<unknown> } }).tools
  assertDocumented('clients.md', await messageOf(() => tools(client).call('ask', {}, { timeout: 5 })))
  assertDocumented('clients.md', await messageOf(() => tools(client).call('ask', {}, { idempotencyKey: 'a' })))
  const message = /^Cannot call "tools\/call": there is no option "idempotenceKey"; did you mean "idempotencyKey"\?$/
  const refused = { code: 'Misuse', outcome: 'NotSent', message }
  await assert.rejects(tools(keeping).call('ask', {}, { idempotenceKey: 'a' }), refused)
  await assert.rejects(tools(client).call('ask', {}, 5), /the options must be an object, not a number$/)
  assert.equal(runs, 0)
})

for (const [name, call] of [
  ['tools/list', (client: Client, options: object) => client.tools.list(options).all()],
  ['resources/list', (client: Client, options: object) => client.resources.list(options).all()],
  ['resources/templates/list', (client: Client, options: object) => client.resources.templates(options).all()],
  ['resources/read', (client: Client, options: object) => client.resources.read('a:', options)],
  ['prompts/list', (client: Client, options: object) => client.prompts.list(options).all()],
  ['prompts/get', (client: Client, options: object) => client.prompts.get('a', {}, options)],
  ['tools/call', (client: Client, options: object) => client.request('tools/call', { name: 'ask' }, options)],
  ['server/discover', (client: Client, options: object) => client.ping(options)],
] as const)
  test(`an unknown option of "${name}" is refused`, async () => {
    await using client = await connect(shop(nothing))
    const message = `Cannot call "${name}": there is no option "timeoutMS"; did you mean "timeoutMs"?`
    await assert.rejects(call(client, { timeoutMS: 5 }), { code: 'Misuse', message })
  })

test('an option that objects merely inherit is none of a call', async () => {
  await using client = await connect(shop(nothing))
  const options = Object.create({ timeout: 5 }) as object
  assert.deepEqual((await client.tools.call('ask', {}, options)).content, [{ type: 'text', text: 'done' }])
})

const answers: readonly [mistake: string, elicitation: unknown][] = [
  ['an answer that the form does not allow', () => ({ action: 'accept', content: { sure: 'yes' } })],
  ['no answer', () => {}],
  ['content that is no answer', () => ({ sure: true })],
]
for (const [mistake, elicitation] of answers)
  test(`clients.md says what ${mistake} leads to`, async () =>
    assertDocumented('clients.md', await called((ctx) => ctx.elicit('Sure?', sure), elicitation)))

test('clients.md says what no answer of a model leads to', async () => {
  const ask = (ctx: Context) => ctx.sample({ messages: [], maxTokens: 1 })
  assertDocumented('clients.md', await called(ask, () => {}))
})

const agree = () => ({ action: 'accept', content: { sure: true } })
const asking: readonly [mistake: string, handler: (ctx: Context) => unknown, elicitation?: unknown][] = [
  ['a user who declines', (ctx) => ctx.elicit('Sure?', sure), () => ({ action: 'decline' })],
  ['a user who cancels', (ctx) => ctx.elicit('Sure?', sure), () => ({ action: 'cancel' })],
  ['a client that cannot be asked', (ctx) => ctx.elicit('Sure?', sure)],
  ['other questions in the next run', (ctx) => ctx.elicit(`Sure at ${performance.now()}?`, sure), agree],
  ['elicit(schema, question)', (ctx) => ctx.elicit(sure as never, 'Sure?' as never), agree],
  ['elicitUrl without a URL', (ctx) => ctx.elicitUrl('Look', 'not a url'), agree],
  ['an unknown option of a question', (ctx) => ctx.elicit('Sure?', sure, { id: 'sure' } as never), agree],
  ['sample(text)', (ctx) => ctx.sample('hi' as never), agree],
]
for (const [mistake, handler, elicitation] of asking)
  test(`asking.md says what ${mistake} leads to`, async () =>
    assertDocumented('asking.md', await called(handler, elicitation)))

test('asking.md says what asking without keys leads to', async () => {
  const heard: string[] = []
  await called((ctx) => ctx.elicit('Sure?', sure), agree, heard)
  assertDocumented('asking.md', heard.find((message) => message.includes('keys')) ?? 'nothing was said')
})

test('errors.md says what callers hear of a bug', async () => {
  const bug = await called(() => {
    throw new TypeError('secret')
  })
  assertDocumented('errors.md', bug)
})
