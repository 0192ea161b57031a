/** The host's side of a view: what a view may ask, when it is told what, and what becomes of messages that are none. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { apps, type OpenViewOptions, openView, sandboxPage, type View } from '../../../src/apps.ts'
import { InvalidParams, InvalidRequest, MethodNotFound, server } from '../../../src/index.ts'
import { join } from '../../../src/testing/revisions.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { page } from './windows.ts'

const uri = 'ui://shop/cart'
const shop = server({ ...quiet, name: 'shop', extensions: [apps({ views: { [uri]: { html: '<p>Cart' } } })] })
  .tool('cart', { view: uri }, () => 'two apples')
  .tool('refresh', { view: uri, visibility: ['app'] }, (input) => `fresh ${JSON.stringify(input)}`)
  .tool('refund', { visibility: ['model'] }, () => 'paid back')
  .tool('fails', {}, () => {
    throw new Error('secret of the server')
  })
  .tool('slow', {}, (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)))
  .resource('shop://stock', {}, () => 'full')

async function opened(context: TestContext, more: Partial<OpenViewOptions> = {}, origin?: string) {
  const both = await join(shop, { extensions: [apps()] })
  context.after(() => both[Symbol.asyncDispose]())
  const { hostWindow, frame, inside, ...rest } = page(origin)
  const warnings: string[] = []
  const view: View = await both.client.apps.view(uri)
  const host = { name: 'host', version: '1.0.0' }
  const onWarning = (message: string) => warnings.push(message)
  const bridge = openView({ client: both.client, view, frame, hostWindow, host, onWarning, ...more })
  context.after(() => bridge.abandon())
  const begin = async () => {
    const answer = await inside.ask('ui/initialize', { appInfo: { name: 'view', version: '1' }, appCapabilities: {} })
    inside.post({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })
    return answer.result as { [member: string]: unknown }
  }
  return { bridge, inside, begin, warnings, frame, client: both.client, ...rest }
}

const codeOf = (answer: { [member: string]: unknown }) => (answer.error as { code: number } | undefined)?.code
const messageOf = (answer: { [member: string]: unknown }) => (answer.error as { message: string }).message

test('openView: the frame runs scripts in an opaque origin; the view gets there with its policy, once', async (context) => {
  const { attributes, inside } = await opened(context)
  assert.equal(attributes.get('sandbox'), 'allow-scripts')
  assert.equal(attributes.get('referrerpolicy'), 'no-referrer')
  assert.equal(attributes.get('allow'), '')
  const ready = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }
  inside.post(ready)
  inside.post(ready)
  assert.deepEqual(
    inside.heard.map(({ method }) => method),
    ['ui/notifications/sandbox-resource-ready'],
  )
  const { html, frameSources } = (inside.heard[0] as { params: unknown }).params as {
    html: string
    frameSources: string
  }
  assert.match(
    html,
    /^<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none';.*"><script>(?:.|\n)*<\/script><p>Cart$/,
  )
  assert.equal(frameSources, "'none'")
})

test('ViewBridge: nothing is told before the view is ready, then the input before the result', async (context) => {
  const { bridge, inside, begin } = await opened(context)
  bridge.toolInputPartial({ item: 'ap' })
  bridge.toolInputPartial({ item: 'appl' })
  const told = [bridge.toolInput({ item: 'apples' }), bridge.toolResult({ content: [{ type: 'text', text: 'two' }] })]
  assert.deepEqual(inside.heard, [])
  await begin()
  await Promise.all(told)
  assert.deepEqual(
    inside.heard.slice(1).map(({ method, params }) => [method, params]),
    [
      ['ui/notifications/tool-input', { arguments: { item: 'apples' } }],
      ['ui/notifications/tool-result', { content: [{ type: 'text', text: 'two' }] }],
    ],
  )
})

test('ViewBridge: parts of the input before it, each thing once, and no result without input', async (context) => {
  const { bridge, inside, begin } = await opened(context)
  await assert.rejects(bridge.toolResult({ content: [] }), { code: 'Misuse', message: /tell it the input first/ })
  bridge.toolInputPartial({ item: 'ap' })
  await begin()
  await bridge.ready
  bridge.toolInputPartial({ item: 'appl' })
  await bridge.toolInput({ item: 'apples' })
  assert.throws(() => bridge.toolInputPartial({}), { code: 'Misuse', message: /the whole of it was told already/ })
  await assert.rejects(bridge.toolInput({}), { code: 'Misuse', message: /it was told already/ })
  await bridge.toolCancelled('the user said stop')
  await assert.rejects(bridge.toolResult({ content: [] }), { code: 'Misuse' })
  assert.deepEqual(
    inside.heard.slice(1).map(({ method }) => String(method).replace('ui/notifications/', '')),
    ['tool-input-partial', 'tool-input-partial', 'tool-input', 'tool-cancelled'],
  )
})

test('ui/initialize: says what the host can do, once, and before anything else', async (context) => {
  const { inside, begin } = await opened(context, { onLog() {}, context: { theme: 'dark' } })
  assert.equal(codeOf(await inside.ask('tools/call', { name: 'cart' })), InvalidRequest)
  assert.deepEqual((await inside.ask('ping')).result, {})
  assert.match(messageOf(await inside.ask('ui/initialize', {})), /params\.appInfo is required/)
  assert.deepEqual(await begin(), {
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'host', version: '1.0.0' },
    hostCapabilities: { serverTools: {}, serverResources: {}, sandbox: { csp: {}, permissions: {} }, logging: {} },
    hostContext: { theme: 'dark' },
  })
  assert.match(
    messageOf(await inside.ask('ui/initialize', { appInfo: { name: 'v', version: '1' } })),
    /done so already/,
  )
})

test('tools/call: a view calls tools of its own server that are for views, and no other', async (context) => {
  const { inside, begin } = await opened(context)
  await begin()
  const call = (name: string, input?: object) => inside.ask('tools/call', { name, arguments: input })
  assert.deepEqual(((await call('refresh', { a: 1 })).result as { content: object }).content, [
    { type: 'text', text: 'fresh {"a":1}' },
  ])
  assert.deepEqual(((await call('cart')).result as { content: object }).content, [{ type: 'text', text: 'two apples' }])
  for (const name of ['refund', 'elsewhere', '__proto__'])
    assert.match(messageOf(await call(name)), /the server of this view has none that is for views/)
  assert.equal(codeOf(await inside.ask('tools/call', { name: 7 })), InvalidParams)
  assert.equal(((await call('fails')).result as { isError: boolean }).isError, true)
})

test('tools/call: the host is asked first, and the view can give up', async (context) => {
  const asked: unknown[] = []
  const { inside, begin } = await opened(context, {
    approve: (tool, input) => asked.push([tool.name, input]) > 0 && tool.name === 'slow',
  })
  await begin()
  assert.match(messageOf(await inside.ask('tools/call', { name: 'cart', arguments: { a: 1 } })), /it was not approved/)
  assert.deepEqual(asked, [['cart', { a: 1 }]])
  inside.post({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'slow' } })
  inside.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } })
  assert.deepEqual((await inside.ask('ping')).result, {})
  assert.ok(!inside.heard.some(({ id }) => id === 'slow'))
})

test('resources/read: of its own server', async (context) => {
  const { inside, begin } = await opened(context)
  await begin()
  const { result } = await inside.ask('resources/read', { uri: 'shop://stock' })
  assert.deepEqual((result as { contents: object }).contents, [{ uri: 'shop://stock', text: 'full' }])
  assert.equal(codeOf(await inside.ask('resources/read', { uri: 'other://server' })), InvalidParams)
})

test('ui/*: a method without a function of the host does not exist', async (context) => {
  const { inside, begin } = await opened(context)
  await begin()
  for (const method of [
    'ui/open-link',
    'ui/message',
    'ui/update-model-context',
    'sampling/createMessage',
    'tools/list',
    'constructor',
  ])
    assert.equal(codeOf(await inside.ask(method, { url: 'https://a.example/' })), MethodNotFound, method)
})

test('ui/open-link: pages of the web only, and only when the user agrees', async (context) => {
  const links: string[] = []
  const { inside, begin } = await opened(context, { onOpenLink: (url) => links.push(url.href) === 1 })
  await begin()
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'https://a:b@evil.example/',
    '//x',
    '',
  ])
    assert.equal(codeOf(await inside.ask('ui/open-link', { url })), InvalidParams, url)
  assert.deepEqual(links, [])
  assert.deepEqual((await inside.ask('ui/open-link', { url: 'https://a.example/b' })).result, {})
  assert.match(messageOf(await inside.ask('ui/open-link', { url: 'https://a.example/c' })), /the user did not agree/)
})

test('ui/message, ui/update-model-context, notifications: reach the host, checked', async (context) => {
  const got: unknown[] = []
  const { inside, begin, warnings } = await opened(context, {
    onMessage: (message) => got.push(message) < 2,
    onModelContext: (given) => void got.push(given),
    onLog: (log) => void got.push(log),
    onSize: (size) => void got.push(size),
    onCloseRequest: () => void got.push('close'),
    limits: { maxSizePixels: 500 },
  })
  inside.post({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width: 1 } })
  await begin()
  const content = [{ type: 'text', text: 'hi' }]
  assert.deepEqual((await inside.ask('ui/message', { role: 'user', content })).result, {})
  assert.deepEqual((await inside.ask('ui/message', { role: 'user', content: content[0] })).result, { isError: true })
  assert.equal(codeOf(await inside.ask('ui/message', { role: 'assistant', content })), InvalidParams)
  assert.equal(codeOf(await inside.ask('ui/message', { role: 'user', content: 'hi' })), InvalidParams)
  assert.deepEqual((await inside.ask('ui/update-model-context', { structuredContent: { a: 1 }, other: 1 })).result, {})
  for (const [method, params] of [
    ['notifications/message', { level: 'info', data: 'x' }],
    ['ui/notifications/size-changed', { width: 12.2, height: 9e9 }],
    ['ui/notifications/size-changed', { width: 'wide', height: -1 }],
    ['ui/notifications/request-teardown', {}],
  ])
    inside.post({ jsonrpc: '2.0', method, params })
  assert.deepEqual(got, [
    { role: 'user', content },
    { role: 'user', content },
    { structuredContent: { a: 1 } },
    { level: 'info', data: 'x' },
    { width: 13, height: 500 },
    'close',
  ])
  assert.match(
    warnings.join('\n'),
    /Ignored "ui\/notifications\/size-changed" of a view that is not ready\nIgnored a size that is not a number of pixels/,
  )
})

test('ui/request-display-mode: only what both sides know, else it stays as it is', async (context) => {
  const { inside } = await opened(context, {
    context: { displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
    onDisplayMode: (mode) => mode,
  })
  const appCapabilities = { availableDisplayModes: ['inline', 'fullscreen'] }
  await inside.ask('ui/initialize', { appInfo: { name: 'v', version: '1' }, appCapabilities })
  const ask = async (mode: string) => (await inside.ask('ui/request-display-mode', { mode })).result
  assert.deepEqual(await ask('pip'), { mode: 'inline' })
  assert.deepEqual(await ask('fullscreen'), { mode: 'fullscreen' })
  assert.deepEqual(await ask('pip'), { mode: 'fullscreen' })
  assert.equal(codeOf(await inside.ask('ui/request-display-mode', { mode: 'huge' })), InvalidParams)
})

test('ViewBridge: a change of the context is told once the view has begun, and is in what it is told at the beginning', async (context) => {
  const { bridge, inside, begin } = await opened(context, { context: { theme: 'dark', locale: 'de' } })
  await bridge.contextChanged({ theme: 'light' })
  assert.deepEqual((await begin()).hostContext, { theme: 'light', locale: 'de' })
  await bridge.contextChanged({ locale: 'en' })
  assert.deepEqual(inside.heard.at(-1)?.params, { locale: 'en' })
})

test('ViewBridge: messages of other windows and origins are not looked at', async (context) => {
  const { inside, begin } = await opened(context)
  await begin()
  const before = inside.heard.length
  const request = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'refresh' } }
  inside.post(request, { source: {} })
  inside.post(request, { source: null })
  inside.post(request, { origin: 'https://evil.example' })
  await inside.ask('ping')
  assert.equal(inside.heard.length, before + 1)
})

const circle: { self?: unknown } = {}
circle.self = circle
const strange: { readonly [what: string]: [data: unknown, said: RegExp] } = {
  'text instead of a message': ['hello', /not a JSON object/],
  'a list of messages': [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], /not a JSON object/],
  'another JSON-RPC': [{ jsonrpc: '1.0', id: 1, method: 'ping' }, /"jsonrpc" must be "2.0"/],
  'params that are none': [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, /"params" must be an object/],
  'a message that is too large': [
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(2_000) } },
    /it is too large/,
  ],
  'too many values': [{ jsonrpc: '2.0', id: 1, method: 'ping', params: { list: Array(2_000).fill(0) } }, /too large/],
  'what leads back to itself': [{ jsonrpc: '2.0', id: 1, method: 'ping', params: circle }, /nested more than 64 deep/],
  'what JSON does not have': [
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { map: new Map() } },
    /of another kind than JSON has/,
  ],
  'a number that is none': [
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { n: Number.NaN } },
    /a number that is none/,
  ],
  'a big integer': [{ jsonrpc: '2.0', id: 1, method: 'ping', params: { n: 1n } }, /it holds bigint/],
}
for (const [what, [data, said]] of Object.entries(strange)) {
  test(`ViewBridge: ${what} is refused, and the conversation goes on`, async (context) => {
    const { inside, begin } = await opened(context, { limits: { maxMessageChars: 1_000 } })
    await begin()
    inside.post(data)
    const refusal = await inside.until(({ error }) => error !== undefined)
    assert.match(messageOf(refusal), said)
    assert.deepEqual((await inside.ask('ping')).result, {})
  })
}

test('ViewBridge: more requests than may wait are refused', async (context) => {
  const { inside, begin, bridge } = await opened(context, { limits: { maxRequestsInFlight: 2 } })
  await begin()
  for (let id = 100; id < 110; id++) inside.post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } })
  const refusal = await inside.until(({ error }) => error !== undefined)
  assert.ok((refusal.id as number) >= 104)
  await bridge.abandon()
})

test('ViewBridge.close: lets the view end, but not for ever; afterwards nothing is listened to', async (context) => {
  const { bridge, inside, begin, listeners, warnings } = await opened(context)
  await begin()
  const closing = bridge.close({ reason: 'done' })
  const teardown = await inside.until(({ method }) => method === 'ui/resource-teardown')
  assert.deepEqual(teardown.params, { reason: 'done' })
  inside.post({ jsonrpc: '2.0', id: teardown.id, result: {} })
  await closing
  assert.equal(listeners.size, 0)
  assert.deepEqual(warnings, [])
  const deaf = await opened(context)
  await deaf.begin()
  await deaf.bridge.close({ graceMs: 5 })
  assert.match(deaf.warnings.join('\n'), /The view did not end by itself/)
  assert.equal(deaf.listeners.size, 0)
  await assert.rejects(deaf.bridge.toolInput({}), { code: 'NotSent', message: /connection is closed/ })
})

test('openView: a frame that goes to another page loses the conversation', async (context) => {
  const { bridge, inside, begin, load, listeners, warnings, attributes } = await opened(context)
  load()
  await begin()
  await bridge.ready
  load()
  assert.equal(listeners.size, 0)
  assert.match(warnings.join(), /went to another page/)
  const other = await opened(context)
  other.inside.post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-view-left', params: {} })
  assert.equal(other.listeners.size, 0)
  assert.equal(attributes.get('srcdoc'), '')
  inside.post({ jsonrpc: '2.0', id: 9, method: 'ping' })
  assert.ok(!inside.heard.some(({ id }) => id === 9))
})

test('openView: a page between at the own origin of the host has none in the frame, and is left without markup', async (context) => {
  const own = 'https://app.example.com'
  const { attributes, inside, begin, load, bridge } = await opened(context, { sandboxUrl: `${own}/between` }, own)
  assert.equal(attributes.get('sandbox'), 'allow-scripts')
  assert.equal(attributes.get('src'), `${own}/between`)
  await begin()
  inside.post({ jsonrpc: '2.0', id: 9, method: 'ping' }, { origin: own })
  assert.equal(
    inside.heard.some(({ id }) => id === 9),
    false,
  )
  load()
  load()
  assert.equal(attributes.get('src'), 'about:blank')
  await bridge.closed
  assert.equal(attributes.has('srcdoc'), false)
  const other = await opened(context, { sandboxUrl: 'https://other.example.com/between' }, own)
  assert.equal(other.attributes.get('sandbox'), 'allow-scripts allow-same-origin')
})

test('openView: a view that ends before it is ready rejects messages that wait for it', async (context) => {
  const { bridge } = await opened(context)
  const told = bridge.toolInput({})
  await bridge.close()
  await assert.rejects(told, { code: 'Closed' })
})

test('sandboxPage: only for pages that are named', () => {
  assert.match(sandboxPage({ hostOrigins: ['https://app.example'] }), /\["https:\/\/app\.example"\]/)
  for (const hostOrigins of [[], ['*'], ['https://*.example.com'], ['https://a.example/</script>']])
    assert.throws(() => sandboxPage({ hostOrigins }), { code: 'Misuse', message: /name the origins of its hosts/ })
})

test('openView: without a window it says what to give', async (context) => {
  const { client, frame } = await opened(context)
  const view = await client.apps.view(uri)
  assert.throws(() => openView({ client, view, frame, host: { name: 'h', version: '1' } }), {
    code: 'Unsupported',
    message: /give one as "hostWindow"/,
  })
})
