/** Tools with views as a server defines them, and as a client reads them; with the official helpers on the other side too. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import {
  getUiCapability,
  RESOURCE_MIME_TYPE,
  registerAppResource,
  registerAppTool,
} from '@modelcontextprotocol/ext-apps/server'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { McpServer } from '@modelcontextprotocol/server'
import { apps, contentSecurityPolicy, isForApp, isForModel, viewFrameSettings, viewUriOf } from '../../../src/apps.ts'
import { isOrigin } from '../../../src/extensions/apps/origin-text.ts'
import { connect, McpError, server } from '../../../src/index.ts'
import { everyRevision, join } from '../../../src/testing/revisions.ts'
import { quiet } from '../../fixtures/quiet.ts'

const uri = 'ui://weather/map'
const view = {
  html: '<p>Map',
  name: 'map',
  description: 'Shows the weather',
  csp: { connectDomains: ['https://api.weather.example'], resourceDomains: ['https://*.tiles.example'] },
  permissions: { geolocation: {} },
  prefersBorder: true,
}
const ui = { csp: view.csp, permissions: view.permissions, prefersBorder: true }

test('apps: a tool points at its view, which is a resource with its policy, at every revision', async () => {
  let seen: unknown
  const app = server({ ...quiet, name: 'weather', extensions: [apps({ views: { [uri]: view } })] })
    .tool('forecast', { view: uri, meta: { 'com.example/own': 1 } }, (_, { caller }) => {
      seen = getUiCapability(caller.capabilities as never)
      return 'sunny'
    })
    .tool('refresh', { view: uri, visibility: ['app'] }, () => 'rain')
    .tool('plain', {}, () => 'x')
  await everyRevision(
    app,
    async ({ client }) => {
      const [forecast, refresh, plain] = await client.tools.list().all()
      assert.ok(forecast && refresh && plain)
      assert.equal((await client.tools.call('forecast', {})).isError, undefined)
      assert.deepEqual(seen, { mimeTypes: [RESOURCE_MIME_TYPE] })
      const { html, csp, permissions, prefersBorder, ignored } = await client.apps.view(uri)
      assert.deepEqual({ html, ignored }, { html: view.html, ignored: [] })
      const isKnown = forecast._meta !== undefined
      // the oldest revisions have no metadata, so a view comes without its policy, and reaches nothing
      if (isKnown) assert.deepEqual({ csp, permissions, prefersBorder }, ui)
      if (!isKnown) return assert.deepEqual({ csp, permissions }, { csp: {}, permissions: {} })
      assert.deepEqual(forecast._meta, { ui: { resourceUri: uri }, 'com.example/own': 1 })
      assert.deepEqual(refresh._meta, { ui: { resourceUri: uri, visibility: ['app'] } })
      assert.deepEqual([forecast, refresh, plain].map(isForModel), [true, false, true])
      assert.deepEqual([forecast, refresh, plain].map(isForApp), [true, true, true])
      assert.deepEqual([forecast, plain].map(viewUriOf), [uri, undefined])
      assert.equal((await client.apps.view(forecast)).html, view.html)
    },
    { extensions: [apps()] },
  )
})

test('apps: a tool for views alone is not shown to clients without views, and cannot be called by them', async () => {
  const app = server({ ...quiet, name: 'weather', extensions: [apps({ views: { [uri]: view } })] })
    .tool('forecast', { view: uri }, () => 'sunny')
    .tool('refresh', { view: uri, visibility: ['app'] }, () => 'rain')
    .tool('hidden', { visibility: ['app'], visible: () => false }, () => 'x')
  await using off = await join(app)
  assert.deepEqual(
    (await off.client.tools.list().all()).map(({ name }) => name),
    ['forecast'],
  )
  await assert.rejects(off.client.tools.call('refresh', {}), /no such tool/)
  await using on = await join(app, { extensions: [apps()] })
  assert.deepEqual(
    (await on.client.tools.list().all()).map(({ name }) => name),
    ['forecast', 'refresh'],
  )
})

test('apps: a page can be made when it is read', async () => {
  let count = 0
  const app = server({
    ...quiet,
    name: 'w',
    extensions: [apps({ views: { [uri]: { html: async () => `<p>${++count}` } } })],
  })
  await using both = await join(app, { extensions: [apps()] })
  assert.equal((await both.client.apps.view(uri)).html, '<p>1')
  assert.equal((await both.client.apps.view(uri)).html, '<p>2')
})

test('apps: views and tools that make no sense are refused when they are defined', () => {
  const make = (views: object) => () => server({ ...quiet, name: 'w', extensions: [apps({ views: views as never })] })
  const misuse = (message: RegExp) => (error: unknown) =>
    error instanceof McpError && error.code === 'Misuse' && message.test(error.message)
  for (const [views, message] of [
    [{ 'https://x.example/': view }, /the address of a view begins with "ui:\/\/"/],
    [{ [uri]: {} }, /"html" must be text, or a function/],
    [{ [uri]: undefined }, /write \{ html: … \}/],
    [{ [uri]: { ...view, permission: {} } }, /there is no "permission"; did you mean "permissions"\?/],
    [{ [uri]: { ...view, csp: { connectDomain: [] } } }, /there is no "csp\.connectDomain"/],
    [{ [uri]: { ...view, csp: { connectDomains: 'https://a.example' } } }, /"csp\.connectDomains" must be a list/],
    [
      { [uri]: { ...view, csp: { resourceDomains: ['*'] } } },
      /"csp\.resourceDomains\[0\]" is "\*", but must be an origin/,
    ],
    [{ [uri]: { ...view, permissions: { usb: {} } } }, /there is no "permissions\.usb"/],
  ] as const)
    assert.throws(make(views), misuse(message))
  // @ts-expect-error there is no such option
  assert.throws(() => apps({ view: {} }), misuse(/there is no option "view"; did you mean "views"/))
  assert.throws(() => apps({ limits: { maxPages: 1 } as never }).client?.({ warn() {} }), misuse(/"limits\.maxPages"/))
  const app = make({ [uri]: view })() as ReturnType<typeof withViews>
  assert.throws(
    () => app.tool('a', { view: 'ui://weather/mop' }, () => ''),
    misuse(/no view "ui:\/\/weather\/mop"; did you mean "ui:\/\/weather\/map"/),
  )
  for (const visibility of [[], ['user'], 'app'])
    assert.throws(
      () => app.tool('a', { visibility: visibility as never }, () => ''),
      misuse(/"visibility" must be a list/),
    )
})

const withViews = () => server({ ...quiet, name: 'w', extensions: [apps({ views: { [uri]: view } })] })

const page = (over: object) => ({ uri, mimeType: RESOURCE_MIME_TYPE, text: '<p>', ...over })
const bad: { readonly [what: string]: [contents: object, said: RegExp] } = {
  'of another type': [page({ mimeType: 'text/html' }), /its type is "text\/html", not "text\/html;profile=mcp-app"/],
  'at another address': [page({ uri: 'ui://other' }), /the server did not answer with it/],
  'that is too large': [page({ text: 'x'.repeat(101) }), /it is larger than 100 bytes/],
  'that is too large in bytes': [page({ text: 'ü'.repeat(60) }), /it is larger than 100 bytes/],
  'that is too large in base64': [
    page({ text: undefined, blob: btoa('x'.repeat(101)) }),
    /it is larger than 100 bytes/,
  ],
  'that is not base64': [page({ text: undefined, blob: '*' }), /its "blob" is not base64/],
  'with more origins than one may name': [
    page({ _meta: { ui: { csp: { connectDomains: ['https://a.example', 'https://b.example', ';'] } } } }),
    /it names more than 2 origins/,
  ],
}
for (const [what, [contents, said]] of Object.entries(bad)) {
  test(`client.apps.view: a view ${what} is refused`, async () => {
    const app = server({ ...quiet, name: 'w' }).resource(uri, {}, () => ({ contents: [contents] }) as never)
    await using both = await join(app, { extensions: [apps({ limits: { maxViewBytes: 100, maxDomainsPerView: 2 } })] })
    await assert.rejects(both.client.apps.view(uri), { code: 'InvalidResponse', message: said })
  })
}

test('client.apps.view: a wish that cannot be granted is left out and named; an address of no view is not asked for', async () => {
  const meta = {
    csp: { connectDomains: ["'self'", 'https://a.example; script-src *', 'https://ok.example'] },
    permissions: { usb: {}, camera: {} },
  }
  const app = server({ ...quiet, name: 'w' })
    .resource(uri, {}, () => page({ _meta: { ui: meta } }) as never)
    .tool('plain', {}, () => '')
  await using both = await join(app, { extensions: [apps()] })
  const read = await both.client.apps.view(uri)
  assert.deepEqual(read.csp, { connectDomains: ['https://ok.example'] })
  assert.deepEqual(read.permissions, { camera: {} })
  assert.equal(read.ignored.length, 3)
  await assert.rejects(both.client.apps.view('https://a.example/'), { code: 'Misuse' })
  await assert.rejects(both.client.apps.view({}), { code: 'Misuse', message: /the tool has none/ })
})

test('contentSecurityPolicy: nothing by default, and no text of a server adds a word', () => {
  assert.equal(
    contentSecurityPolicy({}),
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; " +
      "connect-src 'none'; frame-src 'none'; base-uri 'none'; object-src 'none'; worker-src 'none'; form-action 'none'",
  )
  const hostile = [
    '*',
    "'unsafe-eval'",
    'https://a.example;script-src *',
    'https://a.example https:',
    'https:',
    'data:',
    '"><script>',
    'https://a.example/"',
  ]
  const all = { connectDomains: hostile, resourceDomains: hostile, frameDomains: hostile, baseUriDomains: hostile }
  assert.equal(contentSecurityPolicy(all), contentSecurityPolicy({}))
  assert.match(contentSecurityPolicy(view.csp), /connect-src https:\/\/api\.weather\.example;/)
  assert.match(contentSecurityPolicy(view.csp), /script-src 'unsafe-inline' https:\/\/\*\.tiles\.example;/)
})

test('isOrigin: scheme, host and port, and nothing more', () => {
  for (const text of [
    'https://a.example',
    'https://*.a.example',
    'wss://a.example:8443',
    'http://localhost:3000',
    'https://A.example',
  ])
    assert.ok(isOrigin(text), text)
  for (const text of [
    'a.example',
    'https://',
    'https://*',
    'https://a..b',
    'https://a.example/',
    'https://a@b',
    'ftp://a',
    'https://a:b',
    'https://-a',
    7,
  ])
    assert.ok(!isOrigin(text), `${text}`)
})

test('viewFrameSettings: of what a view would like it gets what is granted', () => {
  const wanted = { html: '', csp: {}, permissions: { camera: {}, clipboardWrite: {} } }
  assert.equal(viewFrameSettings(wanted).allow, '')
  assert.equal(viewFrameSettings(wanted, { clipboardWrite: {}, microphone: {} }).allow, 'clipboard-write *')
})

test('apps: the views of a server that the official helpers made are read', async () => {
  const http = createServer(async (request, response) => {
    const official = new McpServer({ name: 'official', version: '1.0.0' })
    registerAppTool(
      official,
      'forecast',
      { description: 'x', inputSchema: {}, _meta: { ui: { resourceUri: uri } } } as never,
      (async () => ({
        content: [{ type: 'text', text: 'sunny' }],
      })) as never,
    )
    registerAppResource(official, 'map', uri, {}, async () => ({
      contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text: view.html, _meta: { ui } }],
    }))
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined as never })
    await official.connect(transport)
    await transport.handleRequest(request, response)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  const client = await connect(url, { extensions: [apps()] })
  const [tool] = await client.tools.list().all()
  assert.ok(tool)
  const read = await client.apps.view(tool)
  assert.equal(read.html, view.html)
  assert.deepEqual(read.csp, view.csp)
  await client.close()
  http.closeAllConnections()
  http.close()
})
