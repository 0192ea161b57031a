import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { serve, server } from '@trunkline/mcp'
import { fixture, runCli, runShop } from './run-cli.ts'
import { witness } from './witness.ts'

describe('commands of one server', () => {
  /** The shop at an address, for lines that are not about starting it. */
  let shop: Awaited<ReturnType<typeof runShop>>
  const noted = witness()
  before(async () => {
    shop = await runShop(noted.file)
  })
  after(() => {
    shop[Symbol.dispose]()
    noted[Symbol.dispose]()
  })

  const lines: readonly (readonly [readonly string[], RegExp, (value: never) => void])[] = [
    [
      ['resources'],
      /^shop:hours +text\/plain +When it is open\nshop:logo [\s\S]*^shop:item\/\{id\} +item$/m,
      ({ resources, resourceTemplates }: { resources: []; resourceTemplates: [] }) =>
        assert.deepEqual([resources.length, resourceTemplates.length], [2, 1]),
    ],
    [
      ['read', 'shop:hours'],
      /^nine to five\n$/,
      ({ contents }: { contents: { text: string }[] }) => assert.equal(contents[0]?.text, 'nine to five'),
    ],
    [
      ['prompts'],
      /^poem +topic \[style\] +A poem about something$/m,
      ({ prompts }: { prompts: { name: string }[] }) => assert.equal(prompts[0]?.name, 'poem'),
    ],
    [
      ['prompt', 'poem', 'topic=7'],
      /^user:\nWrite about 7\n$/,
      ({ messages }: { messages: { role: string }[] }) => assert.equal(messages[0]?.role, 'user'),
    ],
    [
      ['complete', 'poem', 'topic', 'sh'],
      /^shoes\nships\n$/,
      ({ completion }: { completion: { values: string[] } }) => assert.deepEqual(completion.values, ['shoes', 'ships']),
    ],
    [
      ['complete', 'shop:item/{id}', 'id', 'h'],
      /^hat\n$/,
      ({ completion }: { completion: { values: string[] } }) => assert.deepEqual(completion.values, ['hat']),
    ],
    [
      ['ping'],
      /^Answered in [\d.]+ ms, after [\d.]+ ms to connect\n$/,
      ({ answerMs }: { answerMs: number }) => assert.ok(answerMs > 0),
    ],
    [
      ['discover'],
      /^shop 1\.2\.3\nspeaks 2026-07-28\n[\s\S]*^tools +listChanged[\s\S]*Ask before you buy\n$/m,
      ({ serverInfo, protocolVersion }: { serverInfo: { name: string }; protocolVersion: string }) =>
        assert.deepEqual([serverInfo.name, protocolVersion], ['shop', '2026-07-28']),
    ],
    [
      ['raw', 'tools/call', '{"name": "add", "arguments": {"a": 1, "b": 4}}'],
      /"text": "5"/,
      ({ content }: { content: { text: string }[] }) => assert.equal(content[0]?.text, '5'),
    ],
  ]

  for (const [args, human, json] of lines) {
    test(`${args.join(' ')}: for people and for scripts`, async () => {
      const shown = await runCli([...args, ...fixture('shop')])
      assert.equal(shown.exit, 0, shown.stderr)
      assert.match(shown.stdout, human)
      assert.equal(shown.stderr, '')
      const [command = '', ...words] = args
      const parsed = await runCli([command, shop.url, ...words, '--json'])
      assert.equal(parsed.exit, 0, parsed.stderr)
      json(JSON.parse(parsed.stdout) as never)
    })
  }

  test('read: bytes go into a file or a pipe as they are', async () => {
    using at = witness()
    const file = join(at.folder, 'logo.png')
    assert.equal((await runCli(['read', shop.url, 'shop:logo', '-o', file])).exit, 0)
    assert.deepEqual([...readFileSync(file)], [137, 80, 78, 71])
    const shown = await runCli(['read', shop.url, 'shop:logo'])
    assert.equal(shown.stdout, '[shop:logo, image/png, 4 bytes]\n')
    const unwritable = await runCli(['read', shop.url, 'shop:logo', '-o', '/no/such/folder/x'])
    assert.equal(unwritable.exit, 1)
  })

  test('read: an address where nothing is ends with 3', async () => {
    const { exit, stderr } = await runCli(['read', '--json', shop.url, 'shop:nothing'])
    assert.equal(exit, 3)
    assert.match(JSON.parse(stderr).error.message, /shop:nothing/)
  })

  test('prompt: arguments are checked, and a near prompt is suggested', async () => {
    const unknown = await runCli(['prompt', shop.url, 'pome'])
    assert.match(unknown.stderr, /Cannot find prompt "pome": did you mean "poem"\?/)
    const wrong = await runCli(['prompt', shop.url, 'poem', 'topc=x'])
    assert.match(wrong.stderr, /topc is no argument of it; did you mean "topic"\?; topic is required/)
  })

  test('call --answer: fills in a form without a person; without it the server hears that forms cannot be answered', async () => {
    const given = ['--answer', 'name=Ada', '--answer', 'age=36']
    const { exit, stdout } = await runCli(['call', ...given, shop.url, 'greet'])
    assert.deepEqual([exit, stdout], [0, 'Hello Ada, 36, undefined, false\n'])
    const nobody = await runCli(['call', shop.url, 'greet'])
    assert.ok(nobody.exit === 2 || nobody.exit === 3)
    assert.match(nobody.stdout + nobody.stderr, /elicitation/)
  })

  test('call --stderr: shows what the program writes there', async () => {
    const { stderr } = await runCli(['call', '--stderr', 'work', ...fixture('broken', 'dies in a call')])
    assert.match(stderr, /cannot open the database/)
  })

  test('trace: every message that passes, secrets masked', async () => {
    const line = ['call', 'order', 'item=sk-live-0123456789abcdefghij', ...fixture('shop')]
    const { exit, stdout } = await runCli(['trace', ...line])
    assert.equal(exit, 0)
    assert.match(stdout, /→ 0 server\/discover \{/)
    assert.match(stdout, /→ 2 tools\/call \{"name":"order","arguments":\{"item":"\[masked\]"\}/)
    assert.match(stdout, /← 2 result \{"content"/)
    assert.doesNotMatch(stdout, /sk-live/)
    const json = await runCli(['trace', '--json', ...line])
    const records = json.stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.deepEqual(
      records.slice(0, 2).map(({ direction }) => direction),
      ['sent', 'received'],
    )
    assert.equal(records[0].message.method, 'server/discover')
  })

  test('trace: the exit code is that of the command', async () => {
    const { exit, stderr } = await runCli(['trace', 'call', 'fail', ...fixture('shop')])
    assert.equal(exit, 2)
    assert.match(stderr, /says that it failed/)
  })

  test('servers at a URL: called with headers, and watched while they change', async () => {
    const web = server({ name: 'web', version: '1', onWarning: () => {} })
      .tool('who', {}, (_, ctx) => `${ctx.caller.info?.name}`)
      .resource('web:news', {}, () => 'news')
    await using running = await serve(web, { http: 0 })
    const url = String(running.url)
    const { exit, stdout, stderr } = await runCli(['call', url, 'who', '-H', 'X-One: 1'])
    assert.deepEqual({ exit, stdout, stderr }, { exit: 0, stdout: 'trunkline\n', stderr: '' })
    let begun = false
    const watched = await runCli(['watch', '-n', '2', url, 'web:news'], {
      onOutput({ stderr }) {
        if (begun || !stderr.includes('Watching')) return
        begun = true
        web.resources.updated('web:news')
        web.tool('late', {}, () => 'late')
      },
    })
    assert.equal(watched.exit, 0)
    assert.match(watched.stdout, /^\S+ web:news changed$/m)
    assert.match(watched.stdout, /^\S+ the list of tools changed$/m)
  })

  test('watch: a program is started, watched and ended', async () => {
    const watched = await runCli(['watch', '-n', '1', '--env', 'CHANGING=1', 'shop:hours', ...fixture('shop')])
    assert.equal(watched.exit, 0, watched.stderr)
    assert.match(watched.stdout, /^\S+ shop:hours changed\n$/)
  })

  test('watch --json: one object a line for each change, and no remarks', async () => {
    const web = server({ name: 'web', version: '1', onWarning: () => {} }).resource('web:news', {}, () => 'news')
    await using running = await serve(web, { http: 0 })
    // it does not say when it begins to watch
    const changing = setInterval(() => web.resources.updated('web:news'), 50)
    try {
      const { exit, stdout, stderr } = await runCli(['watch', '--json', '-n', '1', String(running.url), 'web:news'])
      assert.deepEqual({ exit, stderr }, { exit: 0, stderr: '' })
      assert.deepEqual(JSON.parse(stdout), { kind: 'resource', uri: 'web:news' })
    } finally {
      clearInterval(changing)
    }
  })

  test('a server that wants to know who calls: exit 6, and what to do', async () => {
    await using closed = await refusing(401)
    const { exit, stderr } = await runCli(['tools', closed.url])
    assert.equal(exit, 6, stderr)
    assert.match(stderr, /--header "Authorization: Bearer …"/)
    await using forbidden = await refusing(403)
    assert.equal((await runCli(['tools', forbidden.url])).exit, 5)
    await using failing = await refusing(500)
    assert.equal((await runCli(['tools', failing.url])).exit, 4)
  })

  test('a connection that is lost, before or during a call: exit 4 and a sentence, in both outputs', async () => {
    const web = server({ name: 'web', version: '1', onWarning: () => {} }).tool('work', {}, () => 'done')
    await using running = await serve(web, { http: 0 })
    const behind = Number(new URL(String(running.url)).port)
    const lost: readonly (readonly [string, readonly string[], string])[] = [
      ['at once', ['tools'], ''],
      ['in a call', ['call'], 'tools/call'],
    ]
    for (const [when, [command = ''], word] of lost) {
      await using broken = await droppingProxy(behind, word)
      const words = command === 'call' ? ['call', broken.url, 'work'] : ['tools', broken.url]
      const { exit, stdout, stderr } = await runCli(words)
      assert.equal(exit, 4, `${when}: ${stderr}`)
      assert.equal(stdout, '')
      assert.match(stderr, /^trunkline: Cannot \S.*\n/, when)
      assert.doesNotMatch(stderr, /\n\s+at |^trunkline: fetch failed$/m)
      const json = await runCli([...words, '--json'])
      assert.equal(JSON.parse(json.stderr).error.exit, 4)
      // a call is never sent twice
      assert.ok(broken.seen() <= 2, `${when}: ${broken.seen()} in two runs`)
    }
    const unknown = await runCli(['tools', 'http://no-such-host.invalid/mcp'])
    assert.equal(unknown.exit, 4, unknown.stderr)
    assert.match(unknown.stderr, /no-such-host\.invalid/)
  })
})
/** A way to a server that breaks off when it sees a word; without one, at once. */
async function droppingProxy(port: number, word: string) {
  let seen = 0
  const proxy = createTcpServer((near) => {
    const far = connectTcp(port, '127.0.0.1')
    for (const one of [near, far]) one.on('error', () => {})
    near.on('data', (data) => {
      if (!data.includes(word)) return void far.write(data)
      seen += word === '' ? 0 : 1
      for (const one of [near, far]) one.destroy()
    })
    far.pipe(near)
    near.on('close', () => far.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    seen: () => seen,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** A web server that refuses every request. */
async function refusing(status: number) {
  const http = createServer((_, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
