import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type CallToolResult, type Client, connect } from '@trunkline/mcp'
import { Mailbox } from '../mailbox.ts'
import { tracked } from '../no-leaks.ts'
import { answers } from './driver.ts'
import { handshakes } from './revisions.ts'

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
const program = { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), 'stdio'] }

for (const revision of handshakes) {
  suite(`our client and the everything server, ${revision}`, () => {
    const logs = new Mailbox<unknown>()
    /** Declares a test of what a revision brought, in those that have it. */
    const testSince = (first: string, name: string, run: () => Promise<void>): void => {
      if (revision >= first) test(name, run)
    }
    let client: Client
    before(async () => {
      client = await connect(program, {
        revisions: [revision],
        elicitation: { form: () => ({ action: 'accept', content: { name: 'Ada' } }), url: () => answers.visit },
        sampling: () => answers.sample,
        roots: answers.roots,
        onLog: ({ data }) => logs.put(data),
      })
      tracked(client)
    })
    after(() => client?.close())

    /** The server says on its own what it does, at times of its own. */
    const logged = async (message: RegExp): Promise<void> => {
      while (!message.test(String(await logs.take())));
    }

    test('tools are listed, and those that need the client too', async () => {
      const names = (await client.tools.list().all()).map(({ name }) => name)
      for (const name of ['echo', 'get-sum', 'trigger-sampling-request', 'get-roots-list'])
        assert.ok(names.includes(name))
      assert.equal(names.includes('trigger-elicitation-request'), revision >= '2025-06-18')
    })

    test('a tool is called', async () => {
      assert.equal(textOf(await client.tools.call('echo', { message: 'hi' })), 'Echo: hi')
      assert.match(textOf(await client.tools.call('get-sum', { a: 2, b: 3 })), /is 5\./)
    })

    test('bad arguments are a failed call', async () => {
      assert.equal((await client.tools.call('get-sum', { a: 'two' })).isError, true)
    })

    test('content of every kind arrives', async () => {
      const image = await client.tools.call('get-tiny-image', {})
      assert.deepEqual(kindsOf(image), ['text', 'image', 'text'])
      const reference = { resourceType: 'Text', resourceId: 1 }
      assert.deepEqual(kindsOf(await client.tools.call('get-resource-reference', reference)), [
        'text',
        'resource',
        'text',
      ])
      const annotated = await client.tools.call('get-annotated-message', { messageType: 'error', includeImage: false })
      assert.deepEqual(annotated.content[0]?.annotations, { priority: 1, audience: ['user', 'assistant'] })
    })

    testSince('2025-06-18', 'structured content arrives and fits its schema', async () => {
      await client.tools.list().all()
      const { structuredContent } = await client.tools.call('get-structured-content', { location: 'Chicago' })
      assert.deepEqual(structuredContent, { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 })
    })

    testSince('2025-06-18', 'links to resources arrive', async () => {
      const links = await client.tools.call('get-resource-links', { count: 2 })
      assert.deepEqual(kindsOf(links), ['text', 'resource_link', 'resource_link'])
    })

    test('resources are listed and read', async () => {
      const [first] = await client.resources.list().all()
      assert.ok(first)
      const { contents } = await client.resources.read(first.uri)
      assert.equal(contents[0]?.uri, first.uri)
    })

    test('resources of templates are completed and read', async () => {
      const template = 'demo://resource/dynamic/text/{resourceId}'
      const templates = (await client.resources.templates().all()).map(({ uriTemplate }) => uriTemplate)
      assert.ok(templates.includes(template))
      assert.deepEqual((await client.complete({ template, argument: 'resourceId' }, '7')).values, ['7'])
      const { contents } = await client.resources.read('demo://resource/dynamic/text/7')
      assert.match((contents[0] as { text: string }).text, /^Resource 7/)
    })

    test('a watched resource reports its changes, and logging says that it is watched', async () => {
      const updates = new Mailbox<string>()
      const uri = 'demo://resource/dynamic/text/1'
      await using _watching = await client.resources.watch(uri, updates.put)
      await logged(/Received Subscribe Resource request/)
      await client.tools.call('toggle-subscriber-updates', {})
      assert.equal(await updates.take(), uri)
      await client.tools.call('toggle-subscriber-updates', {})
    })

    test('prompts are listed, filled in and completed', async () => {
      const names = (await client.prompts.list().all()).map(({ name }) => name)
      assert.deepEqual(names, ['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt'])
      const { messages } = await client.prompts.get('args-prompt', { city: 'Oslo' })
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } }])
      const target = { prompt: 'completable-prompt', argument: 'name' }
      assert.deepEqual((await client.complete(target, 'A', { department: 'Engineering' })).values, ['Alice'])
    })

    test('progress arrives, all of it', async () => {
      const steps: number[] = []
      const onProgress = ({ progress }: { progress: number }): unknown => steps.push(progress)
      await client.tools.call('trigger-long-running-operation', { duration: 0.01, steps: 4 }, { onProgress })
      assert.deepEqual(steps, [1, 2, 3, 4])
    })

    test('a call is given up, and the server goes on', async () => {
      const stop = new AbortController()
      const enough = new Error('enough')
      const onProgress = (): void => stop.abort(enough)
      const work = { duration: 0.02, steps: 2 }
      const call = client.tools.call('trigger-long-running-operation', work, { signal: stop.signal, onProgress })
      await assert.rejects(call, enough)
      await client.ping()
    })

    testSince('2025-11-25', 'the user is asked, and the form comes back with its defaults', async () => {
      const answer = textOf(await client.tools.call('trigger-elicitation-request', {}), 1)
      assert.match(answer, /Name: Ada/)
      assert.match(answer, /Favorite Integer: 42/)
    })

    testSince('2025-11-25', 'the user is asked to visit a page', async () => {
      const page = { url: 'https://cafe.example/pay' }
      assert.match(
        textOf(await client.tools.call('trigger-url-elicitation', page)),
        /User completed the URL elicitation/,
      )
    })

    test('the model of the client is asked', async () => {
      const sampled = await client.tools.call('trigger-sampling-request', { prompt: 'a cake?' })
      assert.match(textOf(sampled), /"model": "barista"/)
    })

    test('the roots of the client are known, and their changes', async () => {
      assert.match(textOf(await client.tools.call('get-roots-list', {})), /file:\/\/\/cafe/)
      await client.setRoots([...answers.roots, { uri: 'file:///bakery' }])
      await logged(/Roots updated: 2/)
      assert.match(textOf(await client.tools.call('get-roots-list', {})), /file:\/\/\/bakery/)
    })
  })
}

function kindsOf({ content }: CallToolResult): string[] {
  return content.map(({ type }) => type)
}

function textOf({ content }: CallToolResult, at = 0): string {
  const block = content[at]
  return block?.type === 'text' ? block.text : ''
}
