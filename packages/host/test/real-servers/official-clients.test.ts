import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { CallResult, Driver } from '../../../mcp/test/interop/driver.ts'
import { textOf } from '../gateway/running-host.ts'
import { clients } from './clients.ts'
import { realWorld } from './world.ts'

const world = await realWorld()
const open: Driver[] = []
after(async () => {
  for (const driver of open) await driver[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const said = ({ content }: CallResult): string => textOf({ content: content as { type: string }[] })

for (const [name, connect] of Object.entries(clients)) {
  describe(`the official client ${name}`, () => {
    let driver: Driver
    const dial = async (server?: string): Promise<Driver> => {
      const dialled = await connect(await world.door(`client-${open.length}`, server))
      open.push(dialled)
      return dialled
    }

    it('is offered the tools of all three servers', async () => {
      driver = await dial()
      const tools = await driver.tools()
      for (const tool of ['everything__echo', 'filesystem__read_text_file', 'memory__create_entities'])
        assert.ok(tools.includes(tool), tools.join())
    })

    it('calls them', async () => {
      assert.equal(said(await driver.call('everything__echo', { message: 'hi' })), 'Echo: hi')
      const path = join(world.ann.project, 'note.txt')
      assert.equal(said(await driver.call('filesystem__read_text_file', { path })), 'a note')
      const written = join(world.ann.project, `${name}.txt`)
      await driver.call('filesystem__write_file', { path: written, content: name })
      assert.equal(readFileSync(written, 'utf8'), name)
      const entities = [{ name, entityType: 'client', observations: ['it calls'] }]
      await driver.call('memory__create_entities', { entities })
      assert.match(said(await driver.call('memory__open_nodes', { names: [name] })), /it calls/)
    })

    it('gets structured content, and failures as results', async () => {
      const { structuredContent } = await driver.call('everything__get-structured-content', { location: 'Chicago' })
      assert.deepEqual(structuredContent, { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 })
      const outside = await driver.call('filesystem__read_text_file', { path: '/etc/hostname' })
      assert.equal(outside.isError, true)
      assert.match(said(outside), /outside allowed directories/)
    })

    it('hears of progress', async () => {
      const steps: number[] = []
      const onProgress = ({ progress }: { progress: number }) => steps.push(progress)
      // version 2 loses reports that arrive together with the answer, so they must not
      const work = { duration: 0.8, steps: 4 }
      await driver.call('everything__trigger-long-running-operation', work, { onProgress })
      assert.deepEqual(steps.slice(0, 3), [1, 2, 3])
    })

    it('is asked by the server: a form, a page, its model', async () => {
      assert.match(said(await driver.call('everything__trigger-sampling-request', { prompt: 'a cake?' })), /barista/)
      assert.match(said(await driver.call('everything__trigger-elicitation-request')), /provided|accept/i)
      const page = { url: 'https://cafe.example/pay' }
      assert.match(said(await driver.call('everything__trigger-url-elicitation', page)), /completed the URL/)
    })

    it('lists and reads resources, and completes', async () => {
      const resources = await driver.resources()
      assert.ok(resources.length > 0)
      assert.equal((await driver.read(resources[0] ?? '')).length, 1)
      const template = 'demo://resource/dynamic/text/{resourceId}'
      assert.ok((await driver.templates()).includes(template))
      assert.deepEqual(await driver.complete({ template }, 'resourceId', '7'), ['7'])
      assert.match(JSON.stringify(await driver.read('demo://resource/dynamic/text/7')), /Resource 7/)
    })

    it('gets prompts, and completes them', async () => {
      assert.match(JSON.stringify(await driver.prompt('everything__args-prompt', { city: 'Oslo' })), /weather in Oslo/)
      const names = await driver.complete({ prompt: 'everything__completable-prompt' }, 'department', 'Eng')
      assert.deepEqual(names, ['Engineering'])
    })

    it('reaches one server under its own names', async () => {
      const own = await dial('everything')
      assert.ok((await own.tools()).includes('echo'))
      assert.equal(said(await own.call('echo', { message: 'own' })), 'Echo: own')
    })
  })
}
